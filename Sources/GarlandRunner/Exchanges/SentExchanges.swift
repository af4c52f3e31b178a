import DequeModule
import GarlandResults

/// Collects the finished exchanges of a step. If there are many, only the first few and the last ones are kept.
///
/// A poll of an hour, or pagination over ten thousand pages, is a single step. Its memory must not grow with its duration.
struct SentExchanges {
  /// The maximum number of exchanges that are kept. Their approximate total size in bytes is limited by ``weightLimit``.
  static let limit = 1_000
  static let weightLimit = 4 << 20
  /// The number of exchanges that a step always keeps, counted from its first exchange.
  static let firstCount = 10

  private var first: [Exchange] = []
  private var last: Deque<Exchange> = []
  private var weight = 0
  /// The number of requests whose exchanges were dropped to limit the memory.
  private(set) var omittedRequests = 0

  var isEmpty: Bool { first.isEmpty && omittedRequests == 0 }

  mutating func append(_ exchange: Exchange) {
    guard first.count >= Self.firstCount else {
      first.append(exchange)
      return
    }
    last.append(exchange)
    weight += exchange.weight
    while last.count > 1, first.count + last.count > Self.limit || weight > Self.weightLimit, let dropped = last.popFirst() {
      weight -= dropped.weight
      omittedRequests += dropped.requestCount
    }
  }

  mutating func append(contentsOf exchanges: some Sequence<Exchange>) { for exchange in exchanges { append(exchange) } }

  /// The exchanges that are kept: the first and the last ones, in order.
  var kept: [Exchange] { last.isEmpty ? first : first + last }

  /// Returns the exchanges that are kept (the first and the last ones), followed by `exchange`.
  func kept(and exchange: Exchange) -> [Exchange] {
    guard !first.isEmpty else { return [exchange] }
    var all = kept
    all.append(exchange)
    return all
  }
}

extension Exchange {
  /// The assumed size in bytes of each hop of an exchange, in addition to the bodies.
  private static let leastWeight = 1_000

  /// The approximate size of the exchange in bytes.
  fileprivate var weight: Int {
    Exchange.leastWeight * hops.count + (requestBody?.bytes.count ?? 0) + (responseBody?.bytes.count ?? 0)
  }
}
