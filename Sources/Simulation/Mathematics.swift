internal import Glibc

/// The natural logarithm.
func naturalLogarithm(_ value: Double) -> Double { Glibc.log(value) }

/// The sine of an angle in radians.
func sine(_ angle: Double) -> Double { Glibc.sin(angle) }
