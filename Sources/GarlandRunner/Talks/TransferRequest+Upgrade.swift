import GarlandTransfer
import GarlandWorkflow
import HTTPTypes

extension TransferRequest {
  /// Changes the request to the handshake of a WebSocket connection, for a curl command. The key is the example in RFC 6455, section 1.3.
  /// The handshake does not offer compression, because curl could not show compressed messages.
  ///
  /// Throws an error if a subprotocol has no value. The request is then complete except for the subprotocols.
  mutating func addUpgrade(_ talk: TalkTemplate, in context: any EvaluationContext) throws(EvaluationError) {
    let fields = [
      ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
      ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ]
    for (name, value) in fields { if let name = HTTPField.Name(name) { headerFields[name] = value } }
    settings.redirects = .deliver
    settings.decodesContent = false
    settings.version = .http1
    removedFields.insert(.accept)
    var subprotocols: [String] = []
    for subprotocol in talk.subprotocols { subprotocols.append(try subprotocol.evaluateText(in: context).text) }
    if !subprotocols.isEmpty { headerFields[.secWebSocketProtocol] = subprotocols.joined(separator: ", ") }
  }
}

extension TalkTemplate {
  /// The limits of the curl command of a step with `websocket`, as a sentence without a full stop.
  static let limitOfCurl =
    "curl opens the WebSocket connection and shows the messages of the server, but does not send the messages of `talk`"
}
