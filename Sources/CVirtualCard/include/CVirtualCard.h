/// A sound card that is not there: an ALSA capture plugin that hears a scene from a file.
///
/// Its crystal has a rate and a wander of its own and counts true time (CLOCK_MONOTONIC_RAW by the
/// bare system call, past anything preloaded). A timer only wakes whoever waits; what was captured
/// by when follows from the crystal alone, and a restarted stream stays on the crystal's grid.
///
///     pcm_type.recorder_virtual { lib "/absolute/path/libCVirtualCard.so" }
///     pcm.microphone {
///       type recorder_virtual
///       scene "/absolute/path/scene.f32"   # float32, one channel, little-endian; repeats for ever
///       origin_ns 123456789    # true time of the scene's first sample; the crystal's origin
///       rate "44100 48000"     # the card's nominal rates
///       channels 1             # 1 to 64
///       format "S24_3LE S16_LE"
///       ppm 37.5               # by how much the crystal is fast
///       step_frames 48         # the pointer moves in packets,
///       lateness_us 300        # and shows each up to so late
///       control "/path/orders" # told here to do something wrong while it runs
///       truth "/path/truth"    # and says here what is true
///     }
///
/// `docs/testing.md` has every setting, every order and every line of the truth.
///
/// With t the seconds since `origin_ns`, the crystal's count is
///
///     n(t) = rate · ((1 + ppm)·t + wander·P/2π·(1 − cos(2πt/P)))
///
/// and frame k of a stream started at t0 is taken when n reaches floor(n(t0)) + 1 + k: it holds the
/// scene at that instant less the delay. This header declares nothing: ALSA finds the plugin by
/// the name of its entry, `_snd_pcm_recorder_virtual_open`.
#pragma once
