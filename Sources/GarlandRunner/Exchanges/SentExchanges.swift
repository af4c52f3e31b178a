import Collections
import GarlandResults

/// What was sent for a step before the request under way: all of it as long as that is little, else the first few and the last.
///
/// A poll of an hour, or ten thousand pages, are one step: what is kept of it for reports must not grow with the time it takes.
struct SentExchanges {
  /// How many exchanges are kept, and how many bytes of them, roughly.
  static let limit = 1_000
  static let weightLimit = 4 << 20
  /// How many of the first are kept in any case.
  static let firstCount = 10

  private var first: [Exchange] = []
  private var last: Deque<Exchange> = []
  private var weight = 0
  /// How many requests were sent of which nothing is kept.
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

  /// Those that are kept, in order.
  var kept: [Exchange] { last.isEmpty ? first : first + last }

  /// Those that are kept, and one more behind them.
  func kept(and exchange: Exchange) -> [Exchange] {
    guard !first.isEmpty else { return [exchange] }
    var all = kept
    all.append(exchange)
    return all
  }
}

extension Exchange {
  /// What an exchange takes beside its bodies.
  private static let leastWeight = 1_000

  /// How many bytes it takes, roughly.
  fileprivate var weight: Int {
    Exchange.leastWeight * hops.count + (requestBody?.bytes.count ?? 0) + (responseBody?.bytes.count ?? 0)
  }
}
