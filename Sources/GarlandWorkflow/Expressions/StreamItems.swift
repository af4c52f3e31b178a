public import GarlandJSON

/// The format of a stream.
public enum StreamFormat: String, Sendable, Hashable, CaseIterable {
  /// `events:`: server-sent events.
  case events
  /// `lines:`: JSON lines.
  case lines

  /// The media type that a response must have; nil if there is none that all servers use.
  package var mediaType: String? {
    switch self {
    case .events: "text/event-stream"
    case .lines: nil
    }
  }

  /// The key of the time until the first item.
  package var timeKey: String { "time_to_first_\(itemName)" }

  /// The parts of an item.
  package var members: [StreamItemMember] {
    switch self {
    case .events: [.type, .data, .id, .json]
    case .lines: [.text, .json]
    }
  }

  /// The name of the item in expressions.
  public var itemName: String {
    switch self {
    case .events: "event"
    case .lines: "line"
    }
  }
}

/// A part of a stream's item.
public enum StreamItemMember: String, Sendable, Hashable, CaseIterable {
  /// The type of an event: `message` unless the stream says otherwise.
  case type
  /// The data of an event, a text.
  case data
  /// The last event ID.
  case id
  /// The data of an event, or a line, as JSON.
  case json
  /// A line as text.
  case text
}

/// An item of a stream as expressions read it.
public protocol StreamItemData: AnyObject, Sendable {
  /// A part of the item. Throws a sentence without an end that says why there is none.
  func value(of member: StreamItemMember) throws(ResponseDataError) -> JSONValue
}
