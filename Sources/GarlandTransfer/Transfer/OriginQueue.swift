import DequeModule

/// What an engine knows of an origin, and who waits for it. Of its thread only.
final class OriginQueue {
  let origin: Origin
  /// Transfers that hold, or are about to make, a connection.
  var active = 0
  /// Whether HTTP/2 was agreed on there: from then on transfers share a connection.
  var speaksHTTP2 = false
  /// Who makes the first connection, where it is likely that all others can share it: they wait until it is there, and make none of their own meanwhile.
  var opener: Transfer?
  /// Whether there was one. However that went, nobody waits a second time.
  var wasOpened = false
  /// Transfers that wait for a free connection, the first to come first.
  var waiting = Deque<Transfer>()

  init(_ origin: Origin) { self.origin = origin }

  /// Puts a transfer behind all that are at least as urgent. One that was redirected has waited once already: it goes in front of those that
  /// are as urgent.
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

  /// Whether an empty one says the same.
  var isForgettable: Bool { active == 0 && waiting.isEmpty && !speaksHTTP2 }

  func hasRoom(limit: Int) -> Bool {
    if opener != nil { return false }
    return limit <= 0 || speaksHTTP2 || active < limit
  }
}
