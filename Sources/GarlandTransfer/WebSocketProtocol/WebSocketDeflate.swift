/// The parameters of permessage-deflate (RFC 7692, section 7.1).
package struct WebSocketDeflate: Sendable, Hashable {
  /// The name of the extension.
  static let name = "permessage-deflate"
  /// The client's offer of compression, in `Sec-WebSocket-Extensions`. It accepts every parameter that a server may choose.
  static let offer = "permessage-deflate; client_max_window_bits"
  static let maximumWindowBits = 15

  /// Whether a compressed message of the server can refer to data in the server's earlier messages (context takeover; RFC 7692, section
  /// 7.1.1).
  package var serverKeepsContext = true
  /// Whether a compressed message of the client can refer to data in the client's earlier messages (context takeover; RFC 7692, section
  /// 7.1.1).
  package var clientKeepsContext = true
  /// The base-2 logarithm of the size in bytes of the server's compression window.
  package var serverWindowBits = WebSocketDeflate.maximumWindowBits
  /// The base-2 logarithm of the size in bytes of the client's compression window.
  package var clientWindowBits = WebSocketDeflate.maximumWindowBits

  package init() {}

  /// Creates the compression parameters from the names and values in the server's response. Throws an error that describes an invalid
  /// parameter.
  init(accepting parameters: [(name: String, value: String?)]) throws(WebSocketUpgradeFailure) {
    var seen: Set<String> = []
    for (name, value) in parameters {
      guard seen.insert(name).inserted else { throw WebSocketUpgradeFailure("`\(Self.name)` has the parameter `\(name)` twice") }
      switch (name, value) {
      case ("server_no_context_takeover", nil): serverKeepsContext = false
      case ("client_no_context_takeover", nil): clientKeepsContext = false
      case ("server_max_window_bits", let value?): serverWindowBits = try Self.bits(value, name)
      case ("client_max_window_bits", let value?): clientWindowBits = try Self.bits(value, name)
      default: throw WebSocketUpgradeFailure("`\(Self.name)` has the invalid parameter `\(name)\(value.map { "=\($0)" } ?? "")`")
      }
    }
  }

  /// Parses a window size: a number from 8 to 15 without a leading zero (RFC 7692, section 7.1.2).
  private static func bits(_ text: String, _ name: String) throws(WebSocketUpgradeFailure) -> Int {
    guard let bits = Int(text), 8...maximumWindowBits ~= bits, String(bits) == text else {
      throw WebSocketUpgradeFailure("`\(Self.name)` has the invalid parameter `\(name)=\(text)`")
    }
    return bits
  }
}
