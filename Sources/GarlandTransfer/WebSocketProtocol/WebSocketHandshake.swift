import GarlandCrypto
import GarlandText
import HTTPTypes

/// The reason why a response does not open a WebSocket connection, as a phrase for an error message.
struct WebSocketUpgradeFailure: Error, Hashable {
  let detail: String

  init(_ detail: String) { self.detail = detail }
}

/// The opening handshake of a client (RFC 6455, section 4.1).
struct WebSocketHandshake {
  /// The subprotocol and the extensions on which client and server have agreed.
  struct Agreement: Hashable {
    /// The subprotocol that the server has chosen; nil if it has chosen none.
    var subprotocol: String?
    /// The parameters of permessage-deflate; nil without compression.
    var deflate: WebSocketDeflate?
  }

  /// The GUID that the server appends to the client's `Sec-WebSocket-Key` to compute its response (RFC 6455, section 1.3).
  private static let server = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

  let key: String
  let subprotocols: [String]
  let offersDeflate: Bool

  /// Creates the handshake of a client.
  ///
  /// - Parameters:
  ///   - nonce: 16 random bytes.
  ///   - subprotocols: The subprotocols that the client offers, the preferred subprotocol first.
  ///   - offersDeflate: Whether the client offers permessage-deflate.
  init(nonce: [UInt8], subprotocols: [String], offersDeflate: Bool) {
    key = Base64.encode(nonce)
    self.subprotocols = subprotocols
    self.offersDeflate = offersDeflate
  }

  /// The header fields that the handshake adds to the request; `Host` is not among them.
  var fields: [(name: String, value: String)] {
    var fields = [("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"), ("Sec-WebSocket-Key", key)]
    if !subprotocols.isEmpty { fields.append(("Sec-WebSocket-Protocol", subprotocols.joined(separator: ", "))) }
    if offersDeflate { fields.append(("Sec-WebSocket-Extensions", WebSocketDeflate.offer)) }
    return fields
  }

  /// Whether a request field belongs to the handshake, so that the caller must not set it.
  static func owns(_ name: HTTPField.Name) -> Bool {
    ["upgrade", "connection", "sec-websocket-version", "sec-websocket-key", "sec-websocket-protocol", "sec-websocket-extensions"]
      .contains(name.canonicalName)
  }

  /// Returns the value of `Sec-WebSocket-Accept` with which a server must answer a key.
  static func answer(to key: String) throws(CryptoError) -> String {
    Base64.encode(try Digest(of: Array((key + server).utf8), using: .sha1).bytes)
  }

  /// Checks the fields of a response with status 101. Returns the subprotocol and the compression on which client and server have agreed.
  func check(_ fields: HTTPFields) throws(WebSocketUpgradeFailure) -> Agreement {
    guard Self.tokens(fields, "upgrade").contains(where: { $0.lowercased() == "websocket" }) else {
      throw WebSocketUpgradeFailure("`Upgrade` is not `websocket`")
    }
    guard Self.tokens(fields, "connection").contains(where: { $0.lowercased() == "upgrade" }) else {
      throw WebSocketUpgradeFailure("`Connection` is not `Upgrade`")
    }
    let answers = Self.values(fields, "sec-websocket-accept")
    guard answers.count == 1, answers.first == (try? Self.answer(to: key)) else {
      throw WebSocketUpgradeFailure("`Sec-WebSocket-Accept` does not match the key of the request")
    }
    var agreement = Agreement()
    let chosen = Self.tokens(fields, "sec-websocket-protocol")
    if let subprotocol = chosen.first {
      guard chosen.count == 1, subprotocols.contains(subprotocol) else {
        throw WebSocketUpgradeFailure("the subprotocol `\(chosen.joined(separator: ", "))` was not offered")
      }
      agreement.subprotocol = subprotocol
    }
    for text in Self.tokens(fields, "sec-websocket-extensions") {
      let parts = text.split(separator: ";", omittingEmptySubsequences: false).map { String($0.withoutBlanks) }
      guard offersDeflate, parts.first == WebSocketDeflate.name, agreement.deflate == nil else {
        throw WebSocketUpgradeFailure("the extension `\(parts.first ?? "")` was not offered")
      }
      agreement.deflate = try WebSocketDeflate(accepting: parts.dropFirst().map(Self.parameter))
    }
    return agreement
  }

  private static func values(_ fields: HTTPFields, _ name: String) -> [String] {
    HTTPField.Name(name).map { fields[values: $0] } ?? []
  }

  /// Returns the members of a list field. Quoted commas are not supported, since the fields of the handshake
  /// contain none.
  private static func tokens(_ fields: HTTPFields, _ name: String) -> [String] {
    values(fields, name).flatMap { $0.split(separator: ",").map { String($0.withoutBlanks) } }.filter { !$0.isEmpty }
  }

  private static func parameter(_ text: String) -> (name: String, value: String?) {
    let parts = text.split(separator: "=", maxSplits: 1).map { String($0.withoutBlanks) }
    guard parts.count == 2 else { return (text, nil) }
    let isQuoted = parts[1].count >= 2 && parts[1].hasPrefix("\"") && parts[1].hasSuffix("\"")
    return (parts[0], isQuoted ? String(parts[1].dropFirst().dropLast()) : parts[1])
  }
}
