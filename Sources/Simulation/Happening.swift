/// What is to happen at a time: a datagram reaches a program, as nearly always, or anything else.
///
/// Datagrams are kept as they are: a closure for each would be memory to ask for and to give back.
enum Happening {
  case arrival(Arrival)
  case other(() -> Void)

  func happen() {
    switch self {
    case .arrival(let arrival): arrival.happen()
    case .other(let action): action()
    }
  }
}

/// A datagram on its way to the program of a host, whose card it reaches at `instant` in true
/// nanoseconds.
struct Arrival {
  let host: SimulatedHost
  let bytes: [UInt8]
  let sender: Int
  let line: Int
  let isMulticast: Bool
  let instant: Int64

  func happen() {
    host.receive(bytes, from: sender, line: line, isMulticast: isMulticast, arrival: instant)
  }
}
