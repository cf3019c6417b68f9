/// How much is left in the batteries that this host runs on.
public struct BatteryReading: Hashable, Sendable {
  /// What is left, 0 to 100 percent of what they hold when full.
  public let percent: Double
  /// How long that lasts at the present draw, in minutes; nothing while it is being charged, or
  /// where the draw is not known.
  public let minutesLeft: Double?
  /// Whether the host draws on its batteries now.
  public let isDischarging: Bool

  /// Makes a reading.
  public init(percent: Double, minutesLeft: Double?, isDischarging: Bool) {
    self.percent = percent
    self.minutesLeft = minutesLeft
    self.isDischarging = isDischarging
  }
}

/// One battery as the kernel's power-supply class describes it.
///
/// Energies are in µWh or charges in µAh, draws in µW or µA, as the driver has them: only their
/// ratios are used. The source of the names is `Documentation/ABI/testing/sysfs-class-power`.
struct Battery {
  var percent: Double
  var now: Double?
  var full: Double?
  var draw: Double?
  var isDischarging: Bool

  /// Reads the supply in `folder`; nothing where it is no battery of the host itself.
  init?(in folder: String, of files: SystemFiles) {
    guard files.text(folder + "/type") == "Battery", files.text(folder + "/present") != "0",
      // A mouse or a headset that has a battery of its own.
      files.text(folder + "/scope") != "Device"
    else { return nil }
    let energy = files.number(folder + "/energy_now")
    let kind = energy != nil ? "energy" : "charge"
    let now = energy ?? files.number(folder + "/charge_now")
    let full = files.number(folder + "/\(kind)_full").flatMap { $0 > 0 ? $0 : nil }
    draw = files.number(folder + (energy != nil ? "/power_now" : "/current_now")).map(abs)
    isDischarging = files.text(folder + "/status") == "Discharging"
    let told = files.number(folder + "/capacity")
    let counted = now.flatMap { now in full.map { now / $0 * 100 } }
    guard let percent = told ?? counted else { return nil }
    self.now = now
    self.full = full
    self.percent = min(max(percent, 0), 100)
  }
}

extension BatteryReading {
  /// Several batteries as one: each weighs as much as it holds, where all of them say so.
  init?(of batteries: [Battery]) {
    guard !batteries.isEmpty else { return nil }
    let weights = batteries.map { $0.full ?? 0 }
    let weigh = weights.allSatisfy { $0 > 0 } ? weights : batteries.map { _ in 1 }
    let total = weigh.reduce(0, +)
    percent = zip(batteries, weigh).map { $0.percent * $1 }.reduce(0, +) / total
    isDischarging = batteries.contains(where: \.isDischarging)
    let left = batteries.compactMap(\.now)
    let draw = batteries.filter(\.isDischarging).compactMap(\.draw).reduce(0, +)
    let isKnown = left.count == batteries.count && draw > 0 && isDischarging
    minutesLeft = isKnown ? left.reduce(0, +) / draw * 60 : nil
  }
}
