import GarlandTransfer
import HTTPTypes

extension TransferRequest {
  /// Adds the fields that request a WebSocket connection, for a command that the user runs. The key is the example in RFC 6455,
  /// section 1.3.
  mutating func addUpgrade() {
    let fields = [
      ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
      ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ]
    for (name, value) in fields { if let name = HTTPField.Name(name) { headerFields[name] = value } }
  }
}
