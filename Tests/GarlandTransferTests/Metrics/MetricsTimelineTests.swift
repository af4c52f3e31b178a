import Testing

@testable import GarlandTransfer

@Suite struct MetricsTimelineTests {
  @Test func `the description of a request's metrics is a timeline with a line for each transaction`() {
    var first = TransactionMetrics(start: .now)
    first.nameLookup = .microseconds(1_200)
    first.connect = .microseconds(4_600)
    first.requestStart = .microseconds(4_600)
    first.firstByte = .microseconds(154_640)
    first.total = .microseconds(160_000)
    first.remoteAddress = "::1"
    first.remotePort = 80
    first.requestHeaderBytes = 310
    first.responseHeaderBytes = 220
    first.responseBodyBytes = 4_096
    let metrics = TransferMetrics(transactions: [first], queued: .milliseconds(12), total: .milliseconds(172))
    #expect(
      metrics.description == """
        172.0 ms, of which 12.0 ms waiting for a connection
        1. network, [::1]:80: 160.0 ms (name 1.2, connect 3.4, wait 150.0, receive 5.4), sent 310 + 0 bytes, received 220 + 4096 bytes
        """)
  }

  @Test func `the description of a transaction says that the request was sent again`() {
    var transaction = TransactionMetrics(start: .now)
    transaction.isSentAgain = true
    #expect(transaction.description.hasPrefix("network, sent again: 0.0 ms"))
  }
}
