import GarlandCrypto
import GarlandText

/// The response to a WebSocket handshake (RFC 6455, section 4.2).
struct WebSocketUpgrade {
  static let path = "/ws"
  private static let subprotocol = "chat.v2"

  /// The status line and the header fields of the response.
  let head: String

  /// Creates the response to a handshake. Returns nil if the request does not ask for a WebSocket connection to ``path``.
  init?(_ request: SandboxRequest) {
    guard request.path == Self.path, request.method == "GET", request.headers.first("Upgrade")?.equalsIgnoringCase("websocket") == true,
      let key = request.headers.first("Sec-WebSocket-Key"),
      let digest = try? Digest(of: Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8), using: .sha1)
    else { return nil }
    var head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    head += "Sec-WebSocket-Accept: \(Base64.encode(digest.bytes))\r\n"
    let offered = request.headers.first("Sec-WebSocket-Protocol")?.split(separator: ",").map { $0.drop { $0 == " " } } ?? []
    if offered.contains(Self.subprotocol[...]) { head += "Sec-WebSocket-Protocol: \(Self.subprotocol)\r\n" }
    self.head = head + "\r\n"
  }
}
