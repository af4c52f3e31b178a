import DequeModule

/// What an engine knows of an origin, and who waits for it.
struct OriginQueue {
  /// Transfers that hold, or are about to make, a connection.
  var active = 0
  /// Whether HTTP/2 was agreed on there: from then on transfers share a connection.
  var speaksHTTP2 = false
  /// Transfers that wait for a free connection, the first to come first.
  var waiting = Deque<Transfer>()

  func hasRoom(limit: Int) -> Bool { limit <= 0 || speaksHTTP2 || active < limit }
}
