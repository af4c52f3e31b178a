import GarlandTransfer
import GarlandWorkflow
import HTTPTypes

extension TransferRequest {
  /// Changes the request to a WebSocket handshake, for the curl command of a step. Does nothing if `action` opens no WebSocket connection.
  ///
  /// Throws an error if a subprotocol can't be evaluated. The request then has all parts of the handshake except the subprotocols.
  mutating func addUpgrade(of action: StepAction, in context: any EvaluationContext) throws(EvaluationError) {
    if let talk = action.talk { try addUpgrade(talk, in: context) }
  }

  /// Changes the request to a WebSocket handshake. If a subprotocol can't be evaluated, adds no subprotocols and returns a message, which
  /// is a sentence without a full stop. Otherwise returns nil.
  mutating func addUpgrade(of action: StepAction, knownIn context: any EvaluationContext) -> String? {
    do throws(EvaluationError) {
      try addUpgrade(of: action, in: context)
      return nil
    } catch {
      return "the subprotocols are left out, because one of them has no value"
    }
  }

  /// Changes the request to the handshake of a WebSocket connection. The value of `Sec-WebSocket-Key` is the example in RFC 6455, section
  /// 1.3. The handshake does not offer compression, because curl, which sends the request, cannot show compressed messages.
  private mutating func addUpgrade(_ talk: TalkTemplate, in context: any EvaluationContext) throws(EvaluationError) {
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
