/// Why a key cannot be read, made or used.
public enum KeyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text or the JSON is no key; what is wrong with it.
  case malformed(String)
  /// A kind of key, a curve or a format that is not known here.
  case unsupported(String)
  /// The key is encrypted, and no passphrase was given.
  case passphraseNeeded
  /// The key is encrypted with another passphrase.
  case wrongPassphrase
  /// A key of this kind cannot be used with this algorithm.
  case unfit(key: String, algorithm: String)
  /// OpenSSL refused.
  case crypto(CryptoError)

  /// One sentence for people; it never shows the key.
  public var description: String {
    switch self {
    case .malformed(let problem): "this is no valid key: \(problem)"
    case .unsupported(let what): "\(what) is not supported"
    case .passphraseNeeded: "the key is encrypted and needs a passphrase"
    case .wrongPassphrase: "the passphrase of the key is wrong"
    case .unfit(let key, let algorithm): "a key of type \(key) cannot be used with \(algorithm)"
    case .crypto(let error): "\(error)"
    }
  }
}
