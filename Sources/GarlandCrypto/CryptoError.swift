import COpenSSL

/// OpenSSL refused an operation: an algorithm that the installed providers do not offer (MD5 under FIPS), or a lack of memory or entropy.
public struct CryptoError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was attempted, such as `SHA-256` or `random bytes`.
  public let operation: String
  /// OpenSSL's own words, the most specific first; empty when it gave none.
  public let reasons: [String]

  /// A failure with reasons known to the caller.
  public init(operation: String, reasons: [String] = []) {
    self.operation = operation
    self.reasons = reasons
  }

  /// One line: the operation, then what OpenSSL said.
  public var description: String {
    reasons.isEmpty ? "\(operation) failed in OpenSSL" : "\(operation) failed in OpenSSL: \(reasons.joined(separator: "; "))"
  }

  /// Empties this thread's OpenSSL error queue into a value, so that no later call is blamed for it.
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
