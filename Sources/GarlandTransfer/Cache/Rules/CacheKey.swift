import GarlandCrypto
import GarlandText

/// The key of a stored entry. It is a digest, so that no URL and no request field is written to disk.
struct CacheKey: Sendable, Hashable {
  let bytes: [UInt8]

  static let byteCount = 32

  /// Creates the cache key of a URL. If a request connects to a server other than that in the URL, `route` identifies the server, since
  /// responses of different servers for the same URL need different keys.
  init(url: URLReference, route: String = "") throws(CryptoError) {
    var text = url.origin?.description ?? ""
    text += url.path.isEmpty ? "/" : url.path
    if let query = url.query { text += "?" + query }
    if !route.isEmpty { text += "\n" + route }
    try self.init(digesting: Array(text.utf8))
  }

  /// Creates the key of one of several responses that the cache stores for the same URL.
  ///
  /// - Parameter value: Returns the request's value of a header field or other property; nil if the request lacks it.
  init(
    of primary: CacheKey, names: [String], nonce: [UInt8], value: (String) -> String?
  ) throws(CryptoError) {
    var bytes = primary.bytes + nonce
    for name in names {
      bytes += name.utf8
      // The bytes 0 and 1 occur in no value, so an absent value differs from an empty value.
      if let value = value(name) {
        bytes.append(1)
        bytes += Self.normalized(value).utf8
      }
      bytes.append(0)
    }
    try self.init(digesting: bytes)
  }

  init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }

  private init(digesting data: [UInt8]) throws(CryptoError) { bytes = try Digest(of: data, using: .sha256).bytes }

  /// The key as 64 hexadecimal digits.
  var hex: String { Hex.encode(bytes) }

  /// Removes white space around commas, since such white space has no meaning (RFC 9111, section 4.1).
  private static func normalized(_ value: String) -> String {
    guard value.utf8.contains(where: { $0 == 0x2C }) else { return value }
    return value.split(separator: ",", omittingEmptySubsequences: false).map { part in
      var part = part
      while part.first == " " || part.first == "\t" { part.removeFirst() }
      while part.last == " " || part.last == "\t" { part.removeLast() }
      return String(part)
    }.joined(separator: ",")
  }
}
