import GarlandText
import GarlandJSON
import GarlandTransfer
import GarlandWorkflow
import Synchronization

/// A message of a WebSocket connection, as expressions and expectations read it. The message is parsed as JSON when an expression
/// or expectation first needs this.
final class MessageItem: TextItem {
  private let message: WebSocketMessage
  private let parsed = Mutex<Result<JSONValue, ResponseDataError>?>(nil)

  init(_ message: WebSocketMessage) { self.message = message }

  var noun: String { "message" }
  var weight: Int { 200 + message.size }

  /// The text of the message. The bytes of a binary message are decoded as UTF-8.
  var itemText: String {
    switch message {
    case .text(let text): text
    case .binary(let bytes): String(utf8IfRoom: bytes)
    }
  }

  private var base64: String {
    guard Computation.hasRoom(for: message.size / 3 * 4 + 4) else { return "" }
    return switch message {
    case .text(let text): Base64.encode(text.utf8)
    case .binary(let bytes): Base64.encode(bytes)
    }
  }

  private var isText: Bool { if case .text = message { true } else { false } }

  func value(of member: StreamItemMember) throws(ResponseDataError) -> JSONValue {
    switch member {
    case .type: .string(isText ? "text" : "binary")
    case .text: .string(itemText)
    case .base64: .string(base64)
    case .json: try json()
    case .data, .id, .headers, .size: throw ResponseDataError("a message has none")
    }
  }

  func json() throws(ResponseDataError) -> JSONValue {
    try parsed.withLock { parsed in
      if let parsed { return parsed }
      let result = ItemJSON.parse(itemText).mapError { ResponseDataError("the message \($0.message)") }
      parsed = result
      return result
    }.get()
  }

  /// The message as an object. The object has the member `text`, or `base64` if the message is binary. If the message is JSON, the object
  /// also has the member `json`.
  var whole: JSONValue {
    var members: JSONObject = ["type": .string(isText ? "text" : "binary")]
    if isText { members["text"] = .string(itemText) } else { members["base64"] = .string(base64) }
    if let json = try? json() { members["json"] = json }
    return .object(members)
  }
}
