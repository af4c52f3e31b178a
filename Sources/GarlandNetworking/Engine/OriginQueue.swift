import DequeModule

/// What an engine knows of an origin, and who waits for it.
struct OriginQueue {
  /// Transfers that hold, or are about to make, a connection.
  var active = 0
  /// Whether HTTP/2 was agreed on there: from then on transfers share a connection.
  var speaksHTTP2 = false
  /// Transfers that wait for a free connection, the first to come first.
  var waiting = Deque<Transfer>()

  /// Puts a transfer behind all that are at least as urgent. One that was redirected has waited once already: it goes in front of those that
  /// are as urgent.
  mutating func enqueue(_ transfer: Transfer, wasRedirected: Bool) {
    let priority = transfer.request.settings.priority
    var index = waiting.endIndex
    while index > waiting.startIndex {
      let other = waiting[index - 1].request.settings.priority
      guard other < priority || (wasRedirected && other == priority) else { break }
      index -= 1
    }
    waiting.insert(transfer, at: index)
  }

  func hasRoom(limit: Int) -> Bool { limit <= 0 || speaksHTTP2 || active < limit }
}
