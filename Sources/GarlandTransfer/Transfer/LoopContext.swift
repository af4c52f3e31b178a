/// The data that all transfers of an engine's thread share. Never leaves that thread.
final class LoopContext {
  /// The time of this turn of the loop in nanoseconds.
  var now: UInt64 = 0
  /// Whether the last check of the sockets found nothing, and nothing has arrived or begun since.
  var isQuiet = false
  /// The numbers that distinguish TLS connections.
  var connectionIdentities = ConnectionIdentities()
  /// The start of the URL checked last.
  var lastAuthority: LastAuthority?
  /// The settings checked last.
  var plainSettings: PlainSettings?
  /// The protection spaces that transfers have learned.
  var challenges = ChallengeMemory()
  /// The transfers with events from libcurl's callbacks, which must wait until libcurl has
  /// returned.
  private var withNews: [Transfer] = []

  /// The transfers that continue after the others have had their turn.
  private var yielding: [Transfer] = []

  func noteYielding(_ transfer: Transfer) { yielding.append(transfer) }

  /// Passes on each transfer that has yielded its turn.
  func takeYielding(_ body: (Transfer) -> Void) {
    guard !yielding.isEmpty else { return }
    let batch = yielding
    yielding.removeAll(keepingCapacity: true)
    for transfer in batch { body(transfer) }
  }

  func noteNews(of transfer: Transfer) { withNews.append(transfer) }

  /// Passes on each transfer with events once.
  func takeNews(_ body: (Transfer) -> Void) {
    guard !withNews.isEmpty else { return }
    let batch = withNews
    withNews.removeAll(keepingCapacity: true)
    for transfer in batch { body(transfer) }
  }
}

/// The loop of a transfer's thread.
protocol TransferLoop: AnyObject, Sendable {
  /// Continues a transfer, from any thread: its body has a piece to send, or the reader of its
  /// response has room again.
  func resumeSending(_ transfer: Transfer)
}
