// A file of its own, since the kernel's header and ALSA's name the same things.
#include <sound/asound.h>

void card_tell_significant_bits(void *params, unsigned bits);

void card_tell_significant_bits(void *params, unsigned bits) {
  // ALSA's parameters are the kernel's structure; the library has no call to set this member.
  if (bits) ((struct snd_pcm_hw_params *)params)->msbits = bits;
}
