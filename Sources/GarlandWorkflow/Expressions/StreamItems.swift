public import GarlandJSON

/// The format of a stream.
public enum StreamFormat: String, Sendable, Hashable, CaseIterable {
  /// Server-sent events: the key `events:`.
  case events
  /// JSON lines: the key `lines:`.
  case lines
  /// The parts of a multipart body: the key `parts:`.
  case parts
  /// The messages of a `websocket:`, which are in no response's body.
  case messages

  /// The media type that a response must have; nil for JSON lines, for which servers use several media types.
  package var mediaType: String? {
    switch self {
    case .events: "text/event-stream"
    case .lines, .messages: nil
    case .parts: "multipart/x-mixed-replace"
    }
  }

  /// The key of a step that reads items of this format.
  package var key: String {
    switch self {
    case .events, .lines, .parts: rawValue
    case .messages: "websocket"
    }
  }

  /// Advice on how a step gets items of this format.
  package var advice: String {
    switch self {
    case .events, .lines, .parts: "add `\(key): true` to the step"
    case .messages: "only a step with `websocket` has messages"
    }
  }

  /// The key of `expect` for the time until the first item.
  package var timeKey: String { "time_to_first_\(itemName)" }

  /// The members that an item of this format has.
  package var members: [StreamItemMember] {
    switch self {
    case .events: [.type, .data, .id, .json]
    case .lines: [.text, .json]
    case .parts: [.type, .headers, .size, .text, .json]
    case .messages: [.type, .text, .json, .base64]
    }
  }

  /// The name of the item in expressions.
  public var itemName: String {
    switch self {
    case .events: "event"
    case .lines: "line"
    case .parts: "part"
    case .messages: "message"
    }
  }
}

/// A member of a stream's item.
public enum StreamItemMember: String, Sendable, Hashable, CaseIterable {
  /// The type of the item. For an event, `message` unless the stream sets another type; for a part, its media type; for a
  /// message, `text` or `binary`.
  case type
  /// The data of an event as text.
  case data
  /// The last event ID of the stream.
  case id
  /// The data of an event, a line, or the body of a part, parsed as JSON.
  case json
  /// The bytes of a message as Base64.
  case base64
  /// A line, the body of a part, or a message, as text.
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

/// An item of a stream in the form that expressions read.
public protocol StreamItemData: AnyObject, Sendable {
  /// Returns a member of the item.
  ///
  /// - Throws: an error if the item has no such member. The message is a sentence without a full stop that gives the reason.
  func value(of member: StreamItemMember) throws(ResponseDataError) -> JSONValue
}
