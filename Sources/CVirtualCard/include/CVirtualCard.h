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
///       scene_rate 48000       # samples of the scene per second of true time
///       origin_ns 123456789    # true time of the scene's first sample; the crystal's origin
///       rate 48000             # the card's nominal rate, which is the only one it has
///       channels 1             # 1 to 64
///       format S24_3LE         # S24_3LE, S32_LE, S16_LE: the only one it has
///       ppm 37.5               # by how much the crystal is fast
///       wander_ppm 0.5         # how far its rate swings, as a sine that starts at 0
///       wander_period_s 40
///       delay_ns 2915452       # how long sound takes to the first channel's microphone
///       channel_delay_ns 0     # how much longer to each further one's
///       noise_dbfs -90         # the microphone's own noise, rms
///       seed 1                 # of the noise
///       buffer_frames 96000    # the most that its buffer holds, 64 or more; two seconds by default
///       busy 0                 # 1: opening it fails, as if another program had it
///     }
///
/// With t the seconds since `origin_ns`, the crystal's count is
///
///     n(t) = rate · ((1 + ppm)·t + wander·P/2π·(1 − cos(2πt/P)))
///
/// and frame k of a stream started at t0 is taken when n reaches floor(n(t0)) + 1 + k: it holds the
/// scene at that instant less the delay. This header declares nothing: ALSA finds the plugin by
/// the name of its entry, `_snd_pcm_recorder_virtual_open`.
#pragma once
