extension TransferMetrics: CustomStringConvertible {
  /// The timeline as text: the total, then a line for each transaction.
  ///
  /// ```text
  /// 210.4 ms, of which 12.0 ms waiting for a connection
  /// 1. network, HTTP/2, 93.184.216.34:443: 198.4 ms (name 1.2, connect 3.4, TLS 20.1, send 0.2, wait 150.0, receive 23.5), sent 310 + 0 bytes, received 220 + 4096 bytes
  /// ```
  /// The numbers of bytes are those of the header and of the body.
  public var description: String {
    let waiting = queued > .zero ? ", of which \(queued.shownMilliseconds) ms waiting for a connection" : ""
    let lines = transactions.enumerated().map { "\n\($0.offset + 1). \($0.element)" }
    return "\(total.shownMilliseconds) ms\(waiting)" + lines.joined()
  }
}

extension TransactionMetrics: CustomStringConvertible {
  /// The transaction as text: the source of the response, the duration of each phase, and the bytes in each
  /// direction.
  public var description: String {
    var origin = [source.rawValue.replacing("_", with: " ")]
    if let version { origin.append("\(version)") }
    if let remoteAddress, let remotePort {
      origin.append(remoteAddress.contains(":") ? "[\(remoteAddress)]:\(remotePort)" : "\(remoteAddress):\(remotePort)")
    }
    if isSentAgain { origin.append("sent again") }
    if isReused { origin.append("reused connection") }
    var words: [String] = []
    var end = Duration.zero
    // Each time counts from the start, so a phase lasts from the end of the previous phase.
    for (name, time) in [
      ("name", nameLookup), ("connect", connect), ("TLS", secure), ("prepare", requestStart), ("send", requestSent), ("wait", firstByte),
      ("receive", total),
    ] {
      guard let time, time >= end else { continue }
      if time > end || name == "receive" { words.append("\(name) \((time - end).shownMilliseconds)") }
      end = time
    }
    return "\(origin.joined(separator: ", ")): \(total.shownMilliseconds) ms (\(words.joined(separator: ", "))), "
      + "sent \(requestHeaderBytes) + \(requestBodyBytes) bytes, received \(responseHeaderBytes) + \(responseBodyBytes) bytes"
  }
}

extension Duration {
  /// The duration as text, in milliseconds with one decimal.
  fileprivate var shownMilliseconds: String {
    let (seconds, attoseconds) = components
    let tenths = seconds * 10_000 + (attoseconds + 50_000_000_000_000) / 100_000_000_000_000
    return "\(tenths / 10).\(tenths % 10)"
  }
}

/// The measurements of a transfer: one ``TransactionMetrics`` for each request, redirects included.
public struct TransferMetrics: Sendable, Hashable {
  /// The transactions in the order of sending. The last transaction received the final response.
  public var transactions: [TransactionMetrics]
  /// The time that the transfer waited for free connections.
  public var queued: Duration
  /// The total time, including the wait for connections.
  public var total: Duration
  /// The number of followed redirects. A request that is sent again for another reason does not count as a redirect: with a credential, to
  /// the next address of a `resolve` override, or because the server closed a kept connection.
  public var redirectCount: Int

  /// Creates metrics, by default for a transfer that sent nothing.
  public init(transactions: [TransactionMetrics] = [], queued: Duration = .zero, total: Duration = .zero, redirectCount: Int = 0) {
    self.transactions = transactions
    self.redirectCount = redirectCount
    self.queued = queued
    self.total = total
  }
}
