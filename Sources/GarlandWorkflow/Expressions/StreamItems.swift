public import GarlandJSON

/// The way in which a response or a WebSocket connection is divided into items.
public enum StreamFormat: String, Sendable, Hashable, CaseIterable {
  /// Server-sent events, which the key `events:` reads.
  case events
  /// JSON lines, which the key `lines:` reads.
  case lines
  /// The parts of a multipart body. The key `parts:` reads these parts.
  case parts
  /// The messages of a step with `websocket:`. They are not part of a response's body.
  case messages

  /// The names and examples that belong to this format. They are used for keys, expressions, requests and diagnostics.
  private var facts: Facts {
    switch self {
    case .events:
      Facts(
        itemName: "event", mediaType: "text/event-stream", members: [.type, .data, .id, .json], value: "[0].data",
        condition: "${event.data == '[DONE]'}", expectation: "{ type: message }")
    case .lines:
      Facts(
        itemName: "line", members: [.text, .json], value: "[0]", isValueJSON: true, condition: "${line.json.done}",
        expectation: "{ json: { $.id: 7 } }")
    case .parts:
      Facts(
        itemName: "part", mediaType: "multipart/x-mixed-replace", members: [.type, .headers, .size, .text, .json], value: "[0].size",
        condition: "${part.headers.X-Last == 'yes'}", expectation: "{ type: image/jpeg }")
    case .messages:
      Facts(
        itemName: "message", members: [.type, .text, .json, .base64], owner: "websocket", value: "[0].size",
        condition: "${message.json.type == 'chat'}", expectation: "{ json: { $.type: chat } }",
        placesOfItem: "`matching` and `that` of `receive`", absence: "the server did not open a WebSocket connection")
    }
  }

  private struct Facts {
    let itemName: String
    var mediaType: String?
    let members: [StreamItemMember]
    /// The key, such as `websocket`, that a step must have to receive items of this format. Nil if every step that sends a request can
    /// receive them, such as `events`.
    var owner: String?
    /// The last part of an example expression that selects a value from an item. In the example `response.events[0].data`, this part is
    /// `[0].data`, and `response.events` is the list of items.
    let value: String
    /// Whether an item of the list of items, such as `response.lines[0]`, is itself a JSON value. If false, the item is an object whose
    /// member `json` is the JSON value.
    var isValueJSON = false
    /// An example of a condition for the key `until`. The stream ends when this condition is met.
    let condition: String
    /// An example of the value of the key `each`, which checks each item.
    let expectation: String
    /// The keys whose expressions can use an item of this format, as a phrase for messages. Nil means the usual keys: `until` and `each` in
    /// the mapping of the format, such as `events`.
    var placesOfItem: String?
    /// The reason why a step's response has no items of this format. If nil, the reason is that the response was not read as a stream of
    /// this format.
    var absence: String?
  }

  /// The name of an item of this format in expressions, such as `event`.
  public var itemName: String { facts.itemName }
  /// The media type that a response must have. Nil for JSON lines, since servers use several media types for them. Also nil for WebSocket
  /// messages.
  package var mediaType: String? { facts.mediaType }

  /// Returns the stream format of a body with the given media type; nil if a body of this type is not a stream.
  ///
  /// - Parameter mediaType: The type without parameters, in lower case.
  package static func format(of mediaType: String) -> StreamFormat? {
    switch mediaType {
    case "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines", "application/jsonlines": .lines
    default: allCases.first { $0.mediaType == mediaType }
    }
  }

  /// The members that an item of this format has.
  package var members: [StreamItemMember] { facts.members }
  /// The key that makes a step receive items of this format, such as `events` or `websocket`.
  package var key: String { facts.owner ?? rawValue }
  /// Advice for the author of a step that uses items of this format, but does not read its response as a stream of this format. An example
  /// is "add `events: true` to the step".
  package var advice: String { facts.owner.map { "only a step with `\($0)` has \(rawValue)" } ?? "add `\(key): true` to the step" }
  /// The key of `expect` that checks the time until the first item, such as `time_to_first_event`.
  package var timeKey: String { "time_to_first_\(itemName)" }
  /// The end of an expression that selects a value from an item, such as `[0].data` in `response.events[0].data`. The help of diagnostics
  /// shows this text as an example.
  var valueExample: String { facts.value }
  /// The end of an example expression that selects a value in the JSON of an item, for the help of diagnostics: `[0].json…`, as in
  /// `response.events[0].json…`; or `[0]…` if each item is itself JSON.
  var jsonExample: String { facts.isValueJSON ? "[0]…" : "[0].json…" }
  /// An example of the value of `until`, the condition that ends the stream. The help of a diagnostic contains this example.
  var conditionExample: String { facts.condition }
  /// An example of a value for the key `each`, which checks each item. The help of a diagnostic contains this example.
  var eachExample: String { facts.expectation }
  /// The keys whose expressions can use an item of this format, for the help of diagnostics.
  var placesOfItem: String { facts.placesOfItem ?? "`until` and `each` of `\(rawValue)`" }
  /// The reason why a response has no items of this format, as a sentence without a full stop.
  package var absence: String { facts.absence ?? "the response was not read as a stream of \(rawValue)" }
  /// Returns example keys for a document that checks the member `name` of each item, such as `events: { each: { data: … } }`.
  func check(of name: String) -> String { facts.owner == nil ? "\(key): { each: { \(name): … } }" : "receive: { \(name): … }" }
}

/// A name that an expression can use after an item of a stream, such as `json` in `event.json`.
public enum StreamItemMember: String, Sendable, Hashable, CaseIterable {
  /// The type of the item. For an event, this is `message` unless the server sets another type. For a part, it is the media type. For a
  /// message, it is `text` or `binary`.
  case type
  /// The data of an event as text.
  case data
  /// The ID of an event: the last event ID that the server has sent with this event or an earlier one.
  case id
  /// The content of an item, parsed as JSON: the data of an event, the text of a line, or the body of a part.
  case json
  /// The bytes of a WebSocket message as Base64.
  case base64
  /// A line, the body of a part, or a WebSocket message, as text.
  case text
  /// The header fields of a part, a mapping with names in lower case.
  case headers
  /// The number of bytes of a part's body.
  case size

  /// The possible kinds of the member's value.
  var kinds: ValueKinds {
    switch self {
    case .type, .data, .id, .text, .base64: .text
    case .json: .any
    case .headers: .mapping
    case .size: .number
    }
  }
}

/// An item of a stream, with the members that expressions can read.
public protocol StreamItemData: AnyObject, Sendable {
  /// Returns a member of the item.
  ///
  /// - Throws: an error if the item has no such member. The error's message gives the reason, as a sentence without a full stop.
  func value(of member: StreamItemMember) throws(ResponseDataError) -> JSONValue
}
