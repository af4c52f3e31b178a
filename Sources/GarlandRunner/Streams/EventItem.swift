import GarlandJSON
import GarlandTransfer
import GarlandWorkflow
import Synchronization

/// A server-sent event in the form that expressions and expectations read. Its data is parsed as JSON at the first use.
final class EventItem: TextItem {
  private let event: ServerSentEvent
  private let parsed = Mutex<Result<JSONValue, ResponseDataError>?>(nil)

  init(_ event: ServerSentEvent) { self.event = event }

  var noun: String { "event" }
  var itemText: String { event.data }
  var weight: Int { 200 + event.data.utf8.count + event.type.utf8.count + event.id.utf8.count }

  func value(of member: StreamItemMember) throws(ResponseDataError) -> JSONValue {
    switch member {
    case .type: .string(event.type)
    case .data, .text: .string(event.data)
    case .id: .string(event.id)
    case .json: try json()
    case .headers, .size, .base64: throw ResponseDataError("an event has no headers and no size")
    }
  }

  func json() throws(ResponseDataError) -> JSONValue {
    try parsed.withLock { parsed in
      if let parsed { return parsed }
      let result = ItemJSON.parse(event.data).mapError { ResponseDataError("the data \($0.message)") }
      parsed = result
      return result
    }.get()
  }

  /// Whether the event's data is not JSON. Such an event may be the mark with which a server ends a stream, for example `[DONE]`.
  var isMark: Bool { (try? json()) == nil }

  /// The event as an object. It has the member `json` only if the data is JSON.
  var whole: JSONValue {
    var members: JSONObject = ["type": .string(event.type), "data": .string(event.data)]
    if !event.id.isEmpty { members["id"] = .string(event.id) }
    if let json = try? json() { members["json"] = json }
    return .object(members)
  }
}
