internal import CSodium

/// Sealing of messages: XChaCha20-Poly1305 as libsodium and the IETF's draft define it.
public enum Seal {
  /// The number of random bytes that go with each message.
  public static let nonceLength = 24
  /// By how many bytes a sealed message is longer than the plain one.
  public static let overhead = 16

  /// Seals `plain`, and binds `additional` to it, which travels in clear.
  ///
  /// - Parameter nonce: 24 bytes, never used twice with one key; random ones are as good.
  public static func seal(
    _ plain: [UInt8], additional: ArraySlice<UInt8>, nonce: ArraySlice<UInt8>, key: SecretKey
  ) -> [UInt8] {
    precondition(nonce.count == nonceLength, "a nonce has 24 bytes, not \(nonce.count)")
    var sealed = [UInt8](repeating: 0, count: plain.count + overhead)
    let status = unsafe additional.withUnsafeBufferPointer { additional in
      unsafe nonce.withUnsafeBufferPointer { nonce -> Int32 in
        guard let first = nonce.baseAddress else { return -1 }
        return unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
          &sealed, nil, plain, UInt64(plain.count), additional.baseAddress,
          UInt64(additional.count), nil, first, key.bytes)
      }
    }
    precondition(status == 0, "sealing cannot fail")
    return sealed
  }

  /// Opens what ``seal(_:additional:nonce:key:)`` made; nothing where key, nonce, message or
  /// additional bytes are not the same as then.
  public static func open(
    _ sealed: ArraySlice<UInt8>, additional: ArraySlice<UInt8>, nonce: ArraySlice<UInt8>,
    key: SecretKey
  ) -> [UInt8]? {
    guard sealed.count >= overhead, nonce.count == nonceLength else { return nil }
    var plain = [UInt8](repeating: 0, count: sealed.count - overhead)
    let status = unsafe sealed.withUnsafeBufferPointer { sealed in
      unsafe additional.withUnsafeBufferPointer { additional in
        unsafe nonce.withUnsafeBufferPointer { nonce -> Int32 in
          guard let first = nonce.baseAddress, let text = sealed.baseAddress else { return -1 }
          return unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
            &plain, nil, nil, text, UInt64(sealed.count), additional.baseAddress,
            UInt64(additional.count), first, key.bytes)
        }
      }
    }
    return status == 0 ? plain : nil
  }
}
