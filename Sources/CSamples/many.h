/// Compiled for what the processor has, which is found out when the program starts. The choice among
/// clones is made before the thread sanitizer is there to watch it.
#pragma once

#if defined(__x86_64__) && !__has_feature(thread_sanitizer)
#define MANY __attribute__((target_clones("avx2", "sse4.2", "default")))
#else
#define MANY
#endif
#define INLINE static inline __attribute__((always_inline))
