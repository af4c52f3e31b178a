/// The measurements of a transfer: one ``TransactionMetrics`` for each request, redirects included.
public struct TransferMetrics: Sendable, Hashable {
  /// The transactions in the order of sending. The last one received the final response.
  public var transactions: [TransactionMetrics]
  /// The time that the transfer waited for free connections.
  public var queued: Duration
  /// The total time, including the wait for connections.
  public var total: Duration

  /// Creates metrics; by default those of a transfer that sent nothing.
  public init(transactions: [TransactionMetrics] = [], queued: Duration = .zero, total: Duration = .zero) {
    self.transactions = transactions
    self.queued = queued
    self.total = total
  }

  /// The number of followed redirects.
  public var redirectCount: Int { max(0, transactions.count - 1) }
}
