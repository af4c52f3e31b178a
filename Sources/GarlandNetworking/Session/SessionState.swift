/// What a session keeps in mind. A pure value; `Member` is a request.
struct SessionState<Member: Sendable>: Sendable {
  private var members: [Int: Member] = [:]
  private var streams: [Int: WeakStream] = [:]
  private var lastID = 0
  private var warnings: Set<SessionWarning> = []
  private(set) var isInvalidated = false

  /// In the order in which they were made.
  var running: [Member] { members.sorted { $0.key < $1.key }.map(\.value) }

  mutating func nextID() -> Int {
    lastID += 1
    return lastID
  }

  /// False if nothing new is let in.
  mutating func add(_ member: Member, id: Int) -> Bool {
    if isInvalidated { return false }
    members[id] = member
    return true
  }

  /// True if this was the last one of a session that was invalidated.
  mutating func remove(id: Int) -> Bool {
    members.removeValue(forKey: id) != nil && isInvalidated && isEmpty
  }

  private var isEmpty: Bool { members.isEmpty && streams.isEmpty }

  // MARK: Streams

  /// The streams that are in use.
  var runningStreams: [any SessionStream] { streams.sorted { $0.key < $1.key }.compactMap(\.value.stream) }

  /// False if nothing new is let in.
  mutating func add(_ stream: any SessionStream) -> Bool {
    if streams[stream.id] != nil { return true }
    if isInvalidated { return false }
    streams[stream.id] = WeakStream(stream: stream)
    return true
  }

  /// True if this was the last of a session that was invalidated.
  mutating func removeStream(id: Int) -> Bool { streams.removeValue(forKey: id) != nil && isInvalidated && isEmpty }

  /// True if nothing runs that would have to be waited for.
  mutating func invalidate() -> Bool {
    if isInvalidated { return false }
    isInvalidated = true
    return isEmpty
  }

  /// Whether this kind of warning comes for the first time.
  mutating func isFirst(_ warning: SessionWarning) -> Bool { warnings.insert(warning).inserted }
}

/// A stream lives as long as its user holds it, and not because the session knows it.
private struct WeakStream: Sendable {
  weak let stream: (any SessionStream)?
}

/// A connection of a session's that is no request.
protocol SessionStream: AnyObject, Sendable {
  /// Its number in the session.
  var id: Int { get }
  func cancel()
}
