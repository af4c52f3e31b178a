/// What was measured of a transfer: one ``TransactionMetrics`` for each request that was sent for it, redirects included.
public struct TransferMetrics: Sendable, Hashable {
  /// In the order in which they were sent. The last one brought the response.
  public var transactions: [TransactionMetrics]
  /// How long the transfer waited for free connections to its origins.
  public var queued: Duration
  /// From the start, waiting included, to the end.
  public var total: Duration

  /// Nothing was sent.
  public init(transactions: [TransactionMetrics] = [], queued: Duration = .zero, total: Duration = .zero) {
    self.transactions = transactions
    self.queued = queued
    self.total = total
  }

  /// How many redirects were followed.
  public var redirectCount: Int { max(0, transactions.count - 1) }
}
