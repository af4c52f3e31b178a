public import GarlandDiagnostics

/// The messages that a step sends and receives on a WebSocket connection, from the keys `websocket:` and `talk:`.
public final class TalkTemplate: Sendable {
  /// An entry of `talk:`, which sends a message, waits for messages, or closes the connection.
  public struct Move: Sendable {
    /// The action of an entry of `talk:`, with the message that it sends or waits for.
    public enum Kind: Sendable {
      /// An entry with the key `send:`, which sends the message.
      case send(Message)
      /// An entry with the key `receive:`, which waits for messages.
      case receive(Receive)
      /// An entry with the key `close:`, which closes the connection. The associated values are the code and the reason of the close frame.
      case close(code: Setting<Int>?, reason: Template?)
    }

    /// The action of this entry of `talk:`: to send a message, to wait for messages, or to close the connection.
    public let kind: Kind
    /// The path of the entry in the step, such as `talk[1].receive`.
    public let path: String
    /// The source range of the key of this `talk:` entry, such as `send`.
    public let range: SourceRange
  }

  /// A message that the step sends over the WebSocket connection.
  public enum Message: Sendable {
    /// A text message, from the key `text:`.
    case text(Template)
    /// A text message that contains JSON, from the key `json:`.
    case json(ValueTemplate)
    /// A binary message, from the key `base64:`.
    case base64(Template)
  }

  /// The messages that an entry of `talk:` waits for.
  public struct Receive: Sendable {
    /// The default time limit for receiving the messages: 30 s.
    public static let defaultTime = Duration.seconds(30)

    /// The number of messages to wait for, from the key `count:`. If nil, one message.
    public let count: Setting<Int>?
    /// The condition that a message must meet, from the key `matching:`. A message does not count if the condition is false or undefined.
    public let matching: Setting<Bool>?
    /// The time limit for receiving all of the messages, from the key `within:`.
    public let within: Setting<Duration>?
    /// The expectations for each message that meets ``matching``.
    public let each: [Expectation]
    /// The values to extract from the last message that this entry receives. `index` is an index of ``Step/extractions``.
    public let extractions: [(index: Int, extraction: Extraction)]
  }

  /// The subprotocols that the client offers, from the key `subprotocols:`. The preferred subprotocol is the first.
  public let subprotocols: [Template]
  /// The entries of `talk:`, in order.
  public let moves: [Move]
  /// The source range of the key `websocket`.
  public let range: SourceRange

  init(subprotocols: [Template], moves: [Move], at range: SourceRange) {
    self.subprotocols = subprotocols
    self.moves = moves
    self.range = range
  }

  /// Whether a client may send the code `number` in a close frame (RFC 6455, section 7.4).
  package static func isCloseCode(_ number: Int) -> Bool { [1000, 1001].contains(number) || (3000...4999).contains(number) }

  /// The maximum size in bytes of the reason in a close frame (RFC 6455, section 5.5).
  package static let maximumReasonSize = 123
}

extension TalkTemplate: StepKind {
  static var key: String? { "websocket" }
  static var verb: String? { key }
  static var owner: ResponseMember.Owner? { .stream(.messages) }
  static var defaultStatus: (code: Int, otherwise: String)? { (101, StreamFormat.messages.absence) }
  static var limitOfCurl: String? {
    "curl opens the WebSocket connection and shows the messages of the server, but does not send the messages of `talk`"
  }

  var place: SourceRange? { range }
  /// The expectations for received messages, in document order. Each comes with the path of the `talk:` entry that contains it, such as
  /// `talk[1].receive`.
  var expectationsOfItems: [(path: String, expectation: Expectation)] {
    moves.flatMap { move -> [(path: String, expectation: Expectation)] in
      if case .receive(let receive) = move.kind { receive.each.map { (move.path, $0) } } else { [] }
    }
  }
  /// The extracts from all received messages, in document order.
  var extractionsOfItems: [Extraction] {
    moves.flatMap { move -> [Extraction] in
      if case .receive(let receive) = move.kind { receive.extractions.map(\.extraction.ofItem) } else { [] }
    }
  }
}
