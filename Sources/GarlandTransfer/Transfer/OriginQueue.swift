import DequeModule

/// The state that an engine keeps for an origin, and the transfers that wait for a connection to the origin. Used on the engine's thread
/// only.
final class OriginQueue {
  let origin: Origin
  /// The number of transfers that have a connection or are about to open a connection.
  var active = 0
  /// Whether the origin has negotiated HTTP/2. If true, transfers to the origin share a connection.
  var speaksHTTP2 = false
  /// The transfer that opens the first connection, if other transfers can probably share that connection. The other transfers wait for this
  /// connection instead of opening their own connections.
  var opener: Transfer?
  /// Whether a transfer has begun to open the first connection to the origin. Other transfers may wait for this connection. If this
  /// connection fails, the other transfers open their own connections instead of waiting for a later connection.
  var wasOpened = false
  /// The transfers that wait for a free connection, ordered by priority. Transfers with the same priority are in the order of arrival,
  /// except that redirected transfers come first.
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

  /// Whether the queue can be removed. A queue must stay while it has transfers, or if its origin is known to use HTTP/2.
  var isForgettable: Bool { active == 0 && waiting.isEmpty && !speaksHTTP2 }

  func hasRoom(limit: Int) -> Bool {
    if opener != nil { return false }
    return limit <= 0 || speaksHTTP2 || active < limit
  }
}
