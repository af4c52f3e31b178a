import DequeModule

/// The state that an engine keeps for an origin, and the transfers that wait for a connection to the origin. Used on the engine's thread
/// only.
final class OriginQueue {
  let origin: Origin
  /// The number of transfers that have a connection or are about to open a connection.
  var active = 0
  /// Whether the origin has negotiated HTTP/2. From then on transfers share a connection.
  var speaksHTTP2 = false
  /// The transfer that opens the first connection, if other transfers can probably share that connection. The other transfers wait for this
  /// connection instead of opening their own connections.
  var opener: Transfer?
  /// Whether a first connection was attempted. After the attempt, whether it succeeded or not, transfers do not wait for another
  /// transfer's connection.
  var wasOpened = false
  /// The transfers that wait for a free connection, in order.
  var waiting = Deque<Transfer>()

  init(_ origin: Origin) { self.origin = origin }

  /// Adds a transfer after all transfers with the same or a higher priority. A redirected transfer has already waited before, so it is
  /// added before the transfers with the same priority.
  func enqueue(_ transfer: Transfer, wasRedirected: Bool) {
    let priority = transfer.request.settings.priority
    var index = waiting.endIndex
    while index > waiting.startIndex {
      let other = waiting[index - 1].request.settings.priority
      guard other < priority || (wasRedirected && other == priority) else { break }
      index -= 1
    }
    waiting.insert(transfer, at: index)
  }

  /// Whether the queue can be removed, because it has no transfers and its origin is not known to use HTTP/2.
  var isForgettable: Bool { active == 0 && waiting.isEmpty && !speaksHTTP2 }

  func hasRoom(limit: Int) -> Bool {
    if opener != nil { return false }
    return limit <= 0 || speaksHTTP2 || active < limit
  }
}
