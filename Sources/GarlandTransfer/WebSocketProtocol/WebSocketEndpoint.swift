import GarlandJSON

/// The client's side of a WebSocket connection, as a state machine that uses neither a socket nor a clock.
///
/// The caller passes received bytes and the messages to send, and writes the bytes of ``takeOutput()`` to the connection. The endpoint
/// answers pings and the server's close frame by itself.
package struct WebSocketEndpoint {
  /// An event that the endpoint reports to its caller.
  package enum Event: Sendable, Hashable {
    case message(WebSocketMessage)
    case pong([UInt8])
    /// The peer has sent a close frame. No event follows.
    case closed(WebSocketClose)
    /// The peer broke a rule of the protocol. No event follows.
    case failed(WebSocketViolation)
  }

  private var receiver: WebSocketReceiver
  private let sender: WebSocketSender
  private var output: [UInt8] = []
  /// The computation (work with limits) in which messages are encoded and decoded. If a message does not fit into the memory, the
  /// computation ends.
  private let computation = Computation(limit: nil)
  /// Whether a close frame was sent, so that no other frame may be sent.
  package private(set) var hasSentClose = false
  /// Whether the endpoint ignores all further frames of the peer, because the peer has sent a close frame or violated the protocol.
  package private(set) var hasEnded = false

  /// Creates the endpoint of a new connection.
  ///
  /// - Parameters:
  ///   - limit: The maximum size in bytes of a message.
  ///   - deflate: The agreed parameters of permessage-deflate; nil without compression.
  ///   - makeMask: Returns an unpredictable masking key for a frame.
  package init(limit: Int, deflate: WebSocketDeflate?, makeMask: @escaping () -> UInt32) throws(WebSocketViolation) {
    var inflater: MessageInflater?
    var deflater: MessageDeflater?
    if let deflate {
      inflater = try MessageInflater(windowBits: deflate.serverWindowBits, keepsContext: deflate.serverKeepsContext)
      deflater = MessageDeflater(windowBits: deflate.clientWindowBits, keepsContext: deflate.clientKeepsContext)
    }
    receiver = WebSocketReceiver(limit: limit, inflater: inflater)
    sender = WebSocketSender(deflater: deflater, makeMask: makeMask)
  }

  /// The reason why a message did not fit into the memory, as a phrase for an error message; nil if every message so far did fit. After
  /// such a failure, no other message can be received or sent.
  package var shortage: String? { computation.shortage }

  /// Whether the bytes received so far end within a message. Such a message is lost if the connection ends here.
  package var isInMessage: Bool { !hasEnded && receiver.isInMessage }

  /// Processes bytes of the peer, and passes each event to `take`.
  package mutating func receive(_ piece: UnsafeRawBufferPointer, _ take: (Event) -> Void) {
    guard !hasEnded else { return }
    do throws(WebSocketViolation) {
      // The items are collected first, since handling an item changes this value.
      var items: [WebSocketReceiver.Item] = []
      defer { for item in items { handle(item, take) } }
      try computation.run { () throws(WebSocketViolation) in try receiver.receive(piece) { items.append($0) } }
    } catch {
      hasEnded = true
      close(WebSocketClose(error.code))
      take(.failed(error))
    }
  }

  private mutating func handle(_ item: WebSocketReceiver.Item, _ take: (Event) -> Void) {
    switch item {
    case .message(let message): take(.message(message))
    case .ping(let payload): if !hasSentClose { sender.append(.pong, payload, to: &output) }
    case .pong(let payload): take(.pong(payload))
    case .close(let close):
      hasEnded = true
      // RFC 6455, section 5.5.1: the response has the same code.
      self.close(WebSocketClose(close.code))
      take(.closed(close))
    }
  }

  /// Adds a message to the output. Returns false if a close frame was already sent, since no message may follow a close frame. Also returns
  /// false if the memory was too small for this message or for an earlier message.
  package mutating func send(_ message: WebSocketMessage) -> Bool {
    guard !hasSentClose, !computation.hasEnded else { return false }
    return computation.run { sender.append(message, to: &output) }
  }

  /// Adds a ping to the output. Returns false if a close frame was sent.
  package mutating func ping(_ payload: [UInt8]) -> Bool {
    if !hasSentClose { sender.append(.ping, Array(payload.prefix(WebSocketFrameHead.maximumControlSize)), to: &output) }
    return !hasSentClose
  }

  /// Adds a close frame to the output, unless one was sent already.
  package mutating func close(_ close: WebSocketClose) {
    guard !hasSentClose else { return }
    hasSentClose = true
    sender.append(close, to: &output)
  }

  /// Returns the bytes to write to the connection, and empties the output.
  package mutating func takeOutput() -> [UInt8] {
    defer { output = [] }
    return output
  }
}

/// A violation of the WebSocket protocol by the peer, with the code of the close frame that reports it.
package struct WebSocketViolation: Error, Sendable, Hashable {
  package let code: WebSocketCloseCode
  /// A phrase for error messages that describes the peer's invalid data, such as `a masked frame`.
  package let detail: String

  init(_ code: WebSocketCloseCode = .protocolError, _ detail: String) {
    self.code = code
    self.detail = detail
  }
}

/// A message of a WebSocket connection (RFC 6455, section 5.6).
public enum WebSocketMessage: Sendable, Hashable {
  /// A message of text.
  case text(String)
  /// A message of bytes.
  case binary([UInt8])

  /// The size of the content in bytes.
  public var size: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .binary(let bytes): bytes.count
    }
  }
}

extension WebSocketMessage {
  /// The approximate memory of an unread message, in bytes.
  var weight: Int { size + 64 }
}
