/// The measurements of a transfer: one ``TransactionMetrics`` for each request, redirects included.
public struct TransferMetrics: Sendable, Hashable {
  /// The transactions in the order of sending. The last one received the final response.
  public var transactions: [TransactionMetrics]
  /// The time that the transfer waited for free connections.
  public var queued: Duration
  /// The total time, including the wait for connections.
  public var total: Duration
  /// The number of followed redirects. Requests that are repeated with a credential, or sent to a further address, do not count.
  public var redirectCount: Int

  /// Creates metrics; by default those of a transfer that sent nothing.
  public init(transactions: [TransactionMetrics] = [], queued: Duration = .zero, total: Duration = .zero, redirectCount: Int = 0) {
    self.transactions = transactions
    self.redirectCount = redirectCount
    self.queued = queued
    self.total = total
  }
}
