/// What all transfers of an engine's thread have in common. Never leaves that thread.
final class LoopContext {
  /// The time of this turn of the loop, in nanoseconds.
  var now: UInt64 = 0
  /// Whether the last look at the sockets found nothing, and nothing was heard or begun since.
  var isQuiet = false
  /// What tells TLS connections apart.
  var connectionIdentities = ConnectionIdentities()
  /// What the URL that was looked at last began with.
  var lastAuthority: LastAuthority?
  /// The settings that were looked at last.
  var plainSettings: PlainSettings?
  /// The protection spaces that transfers have come to know.
  var challenges = ChallengeMemory()
  /// Transfers for which a callback of libcurl's has something to tell that must wait until libcurl has returned.
  private var withNews: [Transfer] = []

  func noteNews(of transfer: Transfer) { withNews.append(transfer) }

  /// Hands those over that have news, each once.
  func takeNews(_ body: (Transfer) -> Void) {
    guard !withNews.isEmpty else { return }
    let batch = withNews
    withNews.removeAll(keepingCapacity: true)
    for transfer in batch { body(transfer) }
  }
}

/// The loop of the thread that a transfer is on.
protocol TransferLoop: AnyObject, Sendable {
  /// Has a transfer go on, from any thread: its body has a piece to send, or whoever takes its response has room again.
  func resumeSending(_ transfer: Transfer)
}
