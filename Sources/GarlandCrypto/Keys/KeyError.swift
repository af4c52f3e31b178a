/// The error of a key that cannot be read, created or used.
public enum KeyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text or the JSON is not a key. The associated value is the reason.
  case malformed(String)
  /// The kind of key, the curve or the format is not supported.
  case unsupported(String)
  /// The key is encrypted, and no passphrase was given.
  case passphraseNeeded
  /// The passphrase does not decrypt the key.
  case wrongPassphrase
  /// A key of the type `key` cannot be used with the signature algorithm `algorithm`.
  case unfit(key: String, algorithm: String)
  /// OpenSSL could not perform the operation.
  case crypto(CryptoError)

  /// The error message, which never contains the key.
  public var description: String {
    switch self {
    case .malformed(let problem): "the key is not valid: \(problem)"
    case .unsupported(let what): "\(what) is not supported"
    case .passphraseNeeded: "the key is encrypted and needs a passphrase"
    case .wrongPassphrase: "the passphrase of the key is wrong"
    case .unfit(let key, let algorithm): "a key of type \(key) cannot be used with \(algorithm)"
    case .crypto(let error): "\(error)"
    }
  }
}
