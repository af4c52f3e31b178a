import HTTPTypes
import TestSupport
import Testing

@testable import GarlandTransfer

@Suite struct WebSocketHandshakeTests {
  /// A handshake with the nonce of RFC 6455, section 1.3.
  private static let handshake = WebSocketHandshake(
    nonce: Array("the sample nonce".utf8), subprotocols: ["chat", "superchat"], offersDeflate: true)
  private static let accepted = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

  /// Checks a valid response to the handshake, with some of its fields replaced.
  private static func check(
    _ changes: [String: String?] = [:], _ handshake: WebSocketHandshake = handshake
  ) -> Result<WebSocketHandshake.Agreement, WebSocketUpgradeFailure> {
    var all: [String: String?] = ["Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": accepted]
    all.merge(changes) { $1 }
    var fields = HTTPFields()
    for (name, value) in all { if let value, let name = HTTPField.Name(name) { fields[name] = value } }
    return Result { () throws(WebSocketUpgradeFailure) in try handshake.check(fields) }
  }

  @Test func `a WebSocket handshake request has the header fields of RFC 6455, section 4.1`() {
    #expect(
      Self.handshake.fields.map { "\($0.name): \($0.value)" } == [
        "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Protocol: chat, superchat", "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits",
      ])
    #expect(WebSocketHandshake(nonce: [], subprotocols: [], offersDeflate: false).fields.count == 4)
  }

  @Test(
    arguments: [
      ([:], WebSocketHandshake.Agreement()),
      (["Upgrade": "WebSocket", "Connection": "keep-alive, UPGRADE"], .init()),
      (["Sec-WebSocket-Protocol": "superchat"], .init(subprotocol: "superchat")),
      (["Sec-WebSocket-Extensions": "permessage-deflate"], .init(deflate: WebSocketDeflate())),
      (
        [
          "Sec-WebSocket-Extensions":
            "permessage-deflate; server_no_context_takeover;client_no_context_takeover ; server_max_window_bits=10; client_max_window_bits=\"12\""
        ],
        .init(deflate: deflate(false, false, 10, 12))
      ),
    ] as [([String: String?], WebSocketHandshake.Agreement)])
  func `a valid response to a WebSocket handshake gives the agreed subprotocol and compression`(
    _ fields: [String: String?], _ agreement: WebSocketHandshake.Agreement
  ) {
    #expect(Self.check(fields) == .success(agreement))
  }

  private static func deflate(_ server: Bool, _ client: Bool, _ serverBits: Int, _ clientBits: Int) -> WebSocketDeflate {
    var deflate = WebSocketDeflate()
    (deflate.serverKeepsContext, deflate.clientKeepsContext) = (server, client)
    (deflate.serverWindowBits, deflate.clientWindowBits) = (serverBits, clientBits)
    return deflate
  }

  @Test(
    arguments: [
      (["Upgrade": nil], "`Upgrade` is not `websocket`"),
      (["Upgrade": "h2c"], "`Upgrade` is not `websocket`"),
      (["Connection": "close"], "`Connection` is not `Upgrade`"),
      (["Sec-WebSocket-Accept": nil], "`Sec-WebSocket-Accept` does not match the key of the request"),
      (["Sec-WebSocket-Accept": "x3pPLMBiTxaQ9kYGzzhZRbK+xOo="], "`Sec-WebSocket-Accept` does not match the key of the request"),
      (["Sec-WebSocket-Protocol": "other"], "the subprotocol `other` was not offered"),
      (["Sec-WebSocket-Protocol": "chat, superchat"], "the subprotocol `chat, superchat` was not offered"),
      (["Sec-WebSocket-Extensions": "x-webkit-deflate-frame"], "the extension `x-webkit-deflate-frame` was not offered"),
      (["Sec-WebSocket-Extensions": "permessage-deflate, permessage-deflate"], "the extension `permessage-deflate` was not offered"),
      (
        ["Sec-WebSocket-Extensions": "permessage-deflate; server_max_window_bits=16"],
        "`permessage-deflate` has the invalid parameter `server_max_window_bits=16`"
      ),
      (
        ["Sec-WebSocket-Extensions": "permessage-deflate; server_max_window_bits=08"],
        "`permessage-deflate` has the invalid parameter `server_max_window_bits=08`"
      ),
      (
        ["Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits"],
        "`permessage-deflate` has the invalid parameter `client_max_window_bits`"
      ),
      (["Sec-WebSocket-Extensions": "permessage-deflate; x=1"], "`permessage-deflate` has the invalid parameter `x=1`"),
      (
        ["Sec-WebSocket-Extensions": "permessage-deflate; server_no_context_takeover; server_no_context_takeover"],
        "`permessage-deflate` has the parameter `server_no_context_takeover` twice"
      ),
    ] as [([String: String?], String)])
  func `an invalid response to a WebSocket handshake is refused`(_ fields: [String: String?], _ detail: String) {
    #expect(Self.check(fields) == .failure(WebSocketUpgradeFailure(detail)))
  }

  @Test func `a WebSocket handshake response is refused if it has an extension that was not offered`() {
    let plain = WebSocketHandshake(nonce: Array("the sample nonce".utf8), subprotocols: [], offersDeflate: false)
    #expect(
      Self.check(["Sec-WebSocket-Extensions": "permessage-deflate"], plain)
        == .failure(.init("the extension `permessage-deflate` was not offered")))
    #expect(Self.check(["Sec-WebSocket-Protocol": "chat"], plain) == .failure(.init("the subprotocol `chat` was not offered")))
  }
}
