internal import HostClock
internal import PeerCore
internal import Units

extension SystemTimeReading {
  /// What was read together.
  init(_ sandwich: Sandwich, _ discipline: Discipline) {
    self.init(
      host: sandwich.host, unixNanoseconds: sandwich.otherNanoseconds,
      widthNanoseconds: sandwich.widthNanoseconds, isDisciplined: discipline.isSynchronized,
      estimatedErrorNanoseconds: discipline.estimatedErrorNanoseconds,
      maximumErrorNanoseconds: discipline.maximumErrorNanoseconds,
      taiOffsetSeconds: discipline.taiOffsetSeconds, leap: Leap(kernelState: discipline.state))
  }
}

extension SystemTimeReading.Leap {
  /// Of a state as adjtimex(2) returns it.
  init(kernelState: Int32) {
    switch kernelState {
    case 1: self = .insertion
    case 2: self = .deletion
    case 3: self = .going
    case 4: self = .over
    default: self = .none
    }
  }
}
