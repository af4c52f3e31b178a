/// The running requests and streams of a session. The methods only change this value and have no other effects. `Member` is the type of the
/// requests.
struct SessionState<Member: Sendable>: Sendable {
  private var members: [Int: Member] = [:]
  private var streams: [Int: WeakStream] = [:]
  private var lastID = 0
  private var warnings: Set<SessionWarning> = []
  private(set) var isInvalidated = false

  /// The running requests in the order of their creation.
  var running: [Member] { members.sorted { $0.key < $1.key }.map(\.value) }

  mutating func nextID() -> Int {
    lastID += 1
    return lastID
  }

  /// Adds a request. Returns false if the session was invalidated and refuses new requests.
  mutating func add(_ member: Member, id: Int) -> Bool {
    if isInvalidated { return false }
    members[id] = member
    return true
  }

  /// Removes a request. Returns true if it was the last request or stream of an invalidated session.
  mutating func remove(id: Int) -> Bool {
    members.removeValue(forKey: id) != nil && isInvalidated && isEmpty
  }

  private var isEmpty: Bool { members.isEmpty && streams.isEmpty }

  // MARK: Streams

  /// The streams and WebSocket connections that are still in use.
  var runningStreams: [any SessionStream] { streams.sorted { $0.key < $1.key }.compactMap(\.value.stream) }

  /// Adds a stream. Returns false if the session was invalidated and refuses new streams.
  mutating func add(_ stream: any SessionStream) -> Bool {
    if streams[stream.id] != nil { return true }
    if isInvalidated { return false }
    streams[stream.id] = WeakStream(stream: stream)
    return true
  }

  /// Removes a stream. Returns true if the session was invalidated and now has no request or stream left.
  mutating func removeStream(id: Int) -> Bool { streams.removeValue(forKey: id) != nil && isInvalidated && isEmpty }

  /// Invalidates the session. Returns true if the session was valid until now and no request or stream is running.
  mutating func invalidate() -> Bool {
    if isInvalidated { return false }
    isInvalidated = true
    return isEmpty
  }

  /// Records a warning. Returns whether it is the first warning of its kind.
  mutating func isFirst(_ warning: SessionWarning) -> Bool { warnings.insert(warning).inserted }
}

/// A weak reference to a stream. The session does not keep a stream alive; only the stream's user does.
private struct WeakStream: Sendable {
  weak let stream: (any SessionStream)?
}

/// A connection that the caller uses without requests: a ``StreamTask`` or a ``WebSocketTask``.
protocol SessionStream: AnyObject, Sendable {
  /// The number of the stream in the session.
  var id: Int { get }
  func cancel()
}

/// A warning about code that works but is probably a mistake. A session reports each kind of warning only once.
public enum SessionWarning: Sendable, Hashable, CustomStringConvertible {
  /// A GET request has content. Servers may ignore the content or refuse the request (RFC 9110, section 9.3.1).
  case contentInGet

  /// The warning message.
  public var description: String {
    switch self {
    case .contentInGet: "a GET request is sent with content, which servers may ignore or refuse"
    }
  }
}
