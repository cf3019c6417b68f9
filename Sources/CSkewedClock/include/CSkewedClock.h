/// A library to be preloaded that gives one process an oscillator of its own.
///
/// With t the true CLOCK_MONOTONIC_RAW in nanoseconds and
///
///     d(t) = PPM·10⁻⁶·(t − ORIGIN) + WANDER·sin(2π(t − ORIGIN)/PERIOD)
///
/// the process reads
///
///     CLOCK_MONOTONIC_RAW            t + RAW_OFFSET + d(t)
///     CLOCK_REALTIME and kin         its true reading + OFFSET + d(t)
///     CLOCK_MONOTONIC, CLOCK_BOOTTIME  its true reading + d(t) − d(at the process's start)
///
/// and the kernel's stamps of packets, which are CLOCK_REALTIME, are bent to match. MONOTONIC is
/// not set off by hours, since deadlines of sleeping threads go to the kernel in it.
///
/// With SKEWED_CLOCK_DISCIPLINE="ESTIMATED_US,MAXIMUM_US,TAI" the wall clock is a disciplined one:
/// CLOCK_REALTIME and the stamps of packets lack d(t), and adjtimex says that they are synchronized
/// with these errors. With any other text adjtimex says that they are not.
///
/// Environment: SKEWED_CLOCK_ORIGIN_NS, SKEWED_CLOCK_PPM, SKEWED_CLOCK_WANDER_NS,
/// SKEWED_CLOCK_WANDER_PERIOD_S, SKEWED_CLOCK_RAW_OFFSET_NS, SKEWED_CLOCK_OFFSET_NS; what is not
/// set is 0 (the period: 60 s). This header declares nothing: the library takes the place of
/// clock_gettime, gettimeofday, time, adjtimex, recvmsg and recvmmsg.
#pragma once
