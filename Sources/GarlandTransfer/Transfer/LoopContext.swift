/// The data that all transfers of an engine's thread share. It is used on that thread only.
final class LoopContext {
  /// The time of the current iteration of the event loop, in nanoseconds of the monotonic clock.
  var now: UInt64 = 0
  /// Whether the last check of the sockets found no data, and no data has arrived and no transfer has begun since.
  var isQuiet = false
  /// The numbers by which libcurl distinguishes TLS connections with different ``ConnectionIdentity`` values.
  var connectionIdentities = ConnectionIdentities()
  /// The part before the path of the URL that was checked last. If the next URL begins with the same part, this part is not parsed again.
  var lastAuthority: LastAuthority?
  /// The settings that were checked last, so that equal settings are not checked again.
  var plainSettings: PlainSettings?
  /// The authentication challenges that servers have sent. With them, later requests contain the answer from the start, without a first
  /// attempt that the server refuses.
  var challenges = ChallengeMemory()
  /// The transfers for which libcurl's callbacks have recorded progress. The progress is reported after libcurl has returned.
  private var withNews: [Transfer] = []

  /// The transfers that have used up their time in this iteration of the event loop. They continue after the other transfers.
  private var yielding: [Transfer] = []

  func noteYielding(_ transfer: Transfer) { yielding.append(transfer) }

  /// Removes the transfers that have used up their time in this iteration of the event loop, and calls `body` for each.
  func takeYielding(_ body: (Transfer) -> Void) {
    guard !yielding.isEmpty else { return }
    let batch = yielding
    yielding.removeAll(keepingCapacity: true)
    for transfer in batch { body(transfer) }
  }

  func noteNews(of transfer: Transfer) { withNews.append(transfer) }

  /// Empties the list of transfers with progress to report, and calls `body` for each of these transfers.
  func takeNews(_ body: (Transfer) -> Void) {
    guard !withNews.isEmpty else { return }
    let batch = withNews
    withNews.removeAll(keepingCapacity: true)
    for transfer in batch { body(transfer) }
  }
}

/// The event loop of the thread that runs a transfer.
protocol TransferLoop: AnyObject, Sendable {
  /// Makes the event loop continue a transfer that waits for its caller. Call this method, on any thread, as soon as the transfer's body
  /// stream has a piece to send, or the reader of its response can receive more.
  func resumeSending(_ transfer: Transfer)
}

/// Determines whether a handle that was set up for a GET with certain settings can be reused for the next GET
/// with the same settings. The result is stored, since many requests share their settings.
final class PlainSettings {
  let settings: TransferSettings
  /// Whether the setup of a libcurl handle for `http` URLs is the same for all requests with these settings.
  let isPlain: Bool
  /// Whether libcurl's handle is set up in the same way for all `https` requests with these settings. False if ``isPlain`` is false, if
  /// there are trust evaluators, a client certificate or a special server name, or if ``TransferSettings/Values/recordsSecurity`` is true.
  let isPlainWithTLS: Bool

  init(_ settings: TransferSettings) {
    self.settings = settings
    let isDirect = if case .none = settings.proxy { true } else { false }
    isPlain =
      isDirect && settings.resolve.isEmpty && settings.connectTo.isEmpty && settings.priority == .normal && !settings.usesFreshConnection
    isPlainWithTLS =
      isPlain && settings.serverTrust == nil && !settings.recordsSecurity && settings.tls.clientCertificate == nil
      && settings.tls.serverName == .automatic
  }
}
