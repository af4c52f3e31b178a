public import GarlandDiagnostics

/// `websocket:`: the messages that a step sends and receives on a WebSocket connection.
public final class TalkTemplate: Sendable {
  /// An entry of `talk:`.
  public struct Move: Sendable {
    /// The kind of an entry, with its content.
    public enum Kind: Sendable {
      /// `send:`.
      case send(Message)
      /// `receive:`.
      case receive(Receive)
      /// `close:`.
      case close(code: Setting<Int>?, reason: Template?)
    }

    /// The kind of the entry, with its content.
    public let kind: Kind
    /// The path of the entry in the step, such as `talk[1].receive`.
    public let path: String
    /// The place of the entry's key.
    public let range: SourceRange
  }

  /// A message to send.
  public enum Message: Sendable {
    /// `text:`.
    case text(Template)
    /// `json:`.
    case json(ValueTemplate)
    /// `base64:`.
    case base64(Template)
  }

  /// The messages that a step waits for.
  public struct Receive: Sendable {
    /// The default time limit.
    public static let defaultTime = Duration.seconds(30)

    /// `count:`; 1 if the entry has no `count`.
    public let count: Setting<Int>?
    /// `matching:`: the condition on a message; a message for which it is false or undefined does not count.
    public let matching: Setting<Bool>?
    /// `within:`: the time limit for all of the messages.
    public let within: Setting<Duration>?
    /// The expectations for each message that counts.
    public let each: [Expectation]
    /// The values of the last message, each with the index of its ``Step/extractions``.
    public let extractions: [(index: Int, extraction: Extraction)]
  }

  /// `subprotocols:`, the preferred one first.
  public let subprotocols: [Template]
  /// `talk:`.
  public let moves: [Move]
  /// The place of the key `websocket`.
  public let range: SourceRange

  init(subprotocols: [Template], moves: [Move], at range: SourceRange) {
    self.subprotocols = subprotocols
    self.moves = moves
    self.range = range
  }

  /// Whether a client sends this code in a close frame (RFC 6455, section 7.4).
  package static func isCloseCode(_ number: Int) -> Bool { [1000, 1001].contains(number) || (3000...4999).contains(number) }

  /// The extracts of all messages, in document order.
  var extractions: [Extraction] {
    moves.flatMap { move -> [Extraction] in
      if case .receive(let receive) = move.kind { receive.extractions.map(\.extraction) } else { [] }
    }
  }
}
