/// The client's end of a WebSocket connection: it takes what arrived and what the caller wants to
/// send, and says what has to be written.
///
/// A value without a connection or a clock. It answers pings and the close frame by itself.
package struct WebSocketEndpoint {
  /// An event that the caller learns of.
  package enum Event: Sendable, Hashable {
    case message(WebSocketMessage)
    case pong([UInt8])
    /// The peer has sent a close frame: nothing comes after it.
    case closed(WebSocketClose)
    /// The peer broke a rule: nothing comes after it.
    case failed(WebSocketViolation)
  }

  private var receiver: WebSocketReceiver
  private let sender: WebSocketSender
  private var output: [UInt8] = []
  /// Whether a close frame was sent, after which nothing more is.
  package private(set) var hasSentClose = false
  /// Whether nothing more is received.
  package private(set) var hasEnded = false

  /// - Parameters:
  ///   - limit: The maximum size in bytes of a message.
  ///   - deflate: The agreed parameters of permessage-deflate; nil without it.
  ///   - makeMask: Makes the masking keys, which nobody can foresee.
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

  /// Whether the bytes so far end within a message, which is lost if the connection ends here.
  package var isInMessage: Bool { !hasEnded && receiver.isInMessage }

  /// Takes bytes of the peer.
  package mutating func receive(_ piece: UnsafeRawBufferPointer, _ take: (Event) -> Void) {
    guard !hasEnded else { return }
    do throws(WebSocketViolation) {
      // Collected first: answering changes this value.
      var items: [WebSocketReceiver.Item] = []
      defer { for item in items { handle(item, take) } }
      try receiver.receive(piece) { items.append($0) }
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
      // RFC 6455, section 5.5.1: the answer has the same code.
      self.close(WebSocketClose(close.code))
      take(.closed(close))
    }
  }

  /// Sends a message. Returns false after the close frame, when nothing may be sent.
  package mutating func send(_ message: WebSocketMessage) -> Bool {
    if !hasSentClose { sender.append(message, to: &output) }
    return !hasSentClose
  }

  /// Sends a ping. Returns false after the close frame.
  package mutating func ping(_ payload: [UInt8]) -> Bool {
    if !hasSentClose { sender.append(.ping, Array(payload.prefix(WebSocketFrameHead.maximumControlSize)), to: &output) }
    return !hasSentClose
  }

  /// Sends a close frame, unless one was sent already.
  package mutating func close(_ close: WebSocketClose) {
    guard !hasSentClose else { return }
    hasSentClose = true
    sender.append(close, to: &output)
  }

  /// Returns what has to be written, and forgets it.
  package mutating func takeOutput() -> [UInt8] {
    defer { output = [] }
    return output
  }
}
