import COpenSSL

/// The error of an operation that OpenSSL could not perform: the installed providers lack the algorithm (for example MD5 under FIPS), or
/// there is not enough memory or entropy.
public struct CryptoError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The operation that failed, such as `SHA-256` or `random bytes`.
  public let operation: String
  /// The reasons reported by OpenSSL, the most specific reason first; empty if OpenSSL reported no reason.
  public let reasons: [String]

  /// Creates an error whose reasons are given by the caller and not by OpenSSL.
  public init(operation: String, reasons: [String] = []) {
    self.operation = operation
    self.reasons = reasons
  }

  /// The failed operation, and the reasons for the failure that OpenSSL reports, on one line.
  public var description: String {
    reasons.isEmpty ? "\(operation) failed in OpenSSL" : "\(operation) failed in OpenSSL: \(reasons.joined(separator: "; "))"
  }

  /// Moves this thread's OpenSSL error queue into a value, so that no later call reports these
  /// errors.
  static func fromQueue(_ operation: String) -> CryptoError {
    var reasons: [String] = []
    while true {
      let code = ERR_get_error()
      guard code != 0 else { break }
      var text = [CChar](repeating: 0, count: 256)
      ERR_error_string_n(code, &text, text.count)
      reasons.append(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    return CryptoError(operation: operation, reasons: reasons.reversed())
  }
}
