import GarlandTransfer
import Synchronization

@testable import GarlandRunner
@testable import GarlandTransfer

/// A WebSocket connection to a server that follows a script, in the simulated time of a ``MemoryTransport``.
///
/// After its script, the server is silent. It answers a close frame at once.
final class MemoryLink: WebSocketLink {
  /// A step in the script of a server.
  enum Move: Sendable {
    /// The server waits for a message of the client.
    case hear
    /// The server sends a message.
    case send(String)
    /// The server waits for a duration.
    case pause(Duration)
    /// The server sends a close frame.
    case close(WebSocketClose)
    /// The connection breaks.
    case lose
  }

  private struct State {
    /// The moves that the server has not made yet; the next move is the last element.
    var moves: [Move]
    /// The timer of the server's current pause; nil if the server does not pause.
    var pause: (any Cancellable)?
    /// The number of messages from the client for which the server has not waited yet.
    var unheard = 0
    var inbox: [WebSocketMessage] = []
    var end: Result<WebSocketClose, NetworkingError>?
    var waits = ChangeWaits()
  }

  private let transport: MemoryTransport
  private let response: TransferResponse
  private let state: Mutex<State>

  init(_ moves: [Move], transport: MemoryTransport, response: TransferResponse) {
    self.transport = transport
    self.response = response
    state = Mutex(State(moves: moves.reversed()))
  }

  // MARK: The server

  /// Lets the server make all moves that it can make now.
  private func goOn() {
    state.withLock { state in
      while state.end == nil, state.pause == nil, let next = state.moves.last {
        switch next {
        case .hear:
          guard state.unheard > 0 else { return }
          state.unheard -= 1
        case .send(let text): state.inbox.append(.text(text))
        case .pause(let duration):
          state.pause = transport.perform(after: duration) {
            self.state.withLock { $0.pause = nil }
            self.goOn()
          }
        case .close(let close): state.end = .success(close)
        case .lose: state.end = .failure(NetworkingError(.connectionLost(detail: "the script ends the connection")))
        }
        state.moves.removeLast()
        state.waits.wakeAll()
      }
    }
  }

  // MARK: The client

  func open() async throws(NetworkingError) -> TransferResponse {
    try await transport.connect(to: response.request.url)
    goOn()
    return response
  }

  func send(_ message: WebSocketMessage) async throws(NetworkingError) {
    if case .failure(let error)? = await end { throw error }
    guard await end == nil else { throw NetworkingError(.connectionLost(detail: "it is closed")) }
    transport.note(message: message.words)
    state.withLock { $0.unheard += 1 }
    goOn()
  }

  func receive(atMost count: Int, timeout: Duration?) async throws(NetworkingError) -> [WebSocketMessage] {
    let limit = timeout.map { transport.now + $0 }
    while true {
      let (messages, end, wait) = state.withLock { state in
        let messages = Array(state.inbox.prefix(count))
        state.inbox.removeFirst(messages.count)
        return (messages, state.end, messages.isEmpty && state.end == nil ? state.waits.begin() : nil)
      }
      if !messages.isEmpty { return messages }
      if let end {
        _ = try end.get()
        return []
      }
      guard let wait else { continue }
      switch await transport.ends(wait.slot, within: limit.map { $0 - transport.now }) {
      case .changed: continue
      case .timeUp: throw NetworkingError(.timeout(.init(limit: .deadline, phase: .receiving, duration: timeout ?? .zero)))
      case .cancelled: throw NetworkingError(.cancelled)
      }
    }
  }

  func close(_ close: WebSocketClose, timeout: Duration) async throws(NetworkingError) -> WebSocketClose {
    if await end == nil { transport.note(message: "close \(close.code.rawValue)") }
    return try finish(.success(close)).get()
  }

  var end: Result<WebSocketClose, NetworkingError>? { get async { state.withLock { $0.end } } }

  func cancel() { _ = finish(.failure(NetworkingError(.cancelled))) }

  /// Ends the connection, unless it has ended already, and returns its end.
  private func finish(_ result: Result<WebSocketClose, NetworkingError>) -> Result<WebSocketClose, NetworkingError> {
    state.withLock { state in
      let end = state.end ?? result
      state.end = end
      state.pause?.cancel()
      state.inbox.removeAll()
      state.waits.wakeAll()
      return end
    }
  }
}

extension WebSocketMessage {
  /// The text of the message, or the number of its bytes.
  fileprivate var words: String {
    switch self {
    case .text(let text): text
    case .binary(let bytes): "\(bytes.count) bytes"
    }
  }
}
