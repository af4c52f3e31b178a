/// The data that all transfers of an engine's thread share. It is used on that thread only.
final class LoopContext {
  /// The time of the current iteration of the event loop, in nanoseconds of the monotonic clock.
  var now: UInt64 = 0
  /// Whether the event loop can skip the check of its sockets for data. True after a check that found no data, until data arrives or a
  /// transfer begins.
  var isQuiet = false
  /// The numbers by which libcurl distinguishes TLS connections with different ``ConnectionIdentity`` values.
  var connectionIdentities = ConnectionIdentities()
  /// The beginning, up to the path, of the URL that was checked last. If the next URL has the same beginning, it is not parsed again.
  var lastAuthority: LastAuthority?
  /// The settings that were checked last, so that equal settings are not checked again.
  var plainSettings: PlainSettings?
  /// The authentication challenges that servers have sent. Later requests answer a known challenge in their first attempt, which the server
  /// would otherwise refuse.
  var challenges = ChallengeMemory()
  /// The transfers for which libcurl's callbacks have recorded progress. The progress is reported after libcurl has returned.
  private var withNews: [Transfer] = []

  /// The transfers that have used up their time in this iteration of the event loop. They continue after the other transfers.
  private var yielding: [Transfer] = []

  func noteYielding(_ transfer: Transfer) { yielding.append(transfer) }

  /// Empties the list of transfers that have used up their time in this iteration of the event loop, and calls `body` for each of these
  /// transfers.
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
  /// Makes the event loop continue a transfer that waits for its caller. Call this method when the transfer's body stream has a piece to
  /// send, or when the reader of its response can receive more. Any thread may call it.
  func resumeSending(_ transfer: Transfer)
}

/// Settings of requests, and whether these settings are plain: libcurl's handle can then send one GET after another without a change of its
/// options. Whether settings are plain is determined once, since many requests have the same settings.
final class PlainSettings {
  let settings: TransferSettings
  /// Whether all `http` requests with these settings set the same options of libcurl's handle. False in each of these cases:
  /// - the settings allow a proxy;
  /// - the settings contain an entry of `resolve` or `connectTo`;
  /// - the settings have a special priority or require a fresh connection.
  let isPlain: Bool
  /// Whether libcurl's handle gets the same options for all `https` requests with these settings. False in each of these cases:
  /// - ``isPlain`` is false;
  /// - there are trust evaluators, a client certificate or a special server name;
  /// - ``TransferSettings/Values/recordsSecurity`` is true.
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
