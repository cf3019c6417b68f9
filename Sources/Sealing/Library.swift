internal import CSodium

/// What libsodium wants done before anything else.
enum Library {
  /// Lets the library choose the fastest code for the processor.
  ///
  /// Does nothing after the first time, and any thread may call it at any time.
  static func prepare() {
    precondition(sodium_init() >= 0, "libsodium cannot be used on this machine")
  }
}
