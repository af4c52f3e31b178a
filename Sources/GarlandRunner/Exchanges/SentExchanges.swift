import Collections
import GarlandResults

/// The exchanges of a step before the current request: all of them as long as they are few, else
/// the first few and the last.
///
/// A poll of an hour, or ten thousand pages, are one step: its memory must not grow with the time
/// it takes.
struct SentExchanges {
  /// How many exchanges are kept, and how many bytes of them, roughly.
  static let limit = 1_000
  static let weightLimit = 4 << 20
  /// How many of the first are kept in any case.
  static let firstCount = 10

  private var first: [Exchange] = []
  private var last: Deque<Exchange> = []
  private var weight = 0
  /// How many requests were sent without a record.
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

  /// The recorded exchanges, in order.
  var kept: [Exchange] { last.isEmpty ? first : first + last }

  /// Returns the recorded exchanges, and one more after them.
  func kept(and exchange: Exchange) -> [Exchange] {
    guard !first.isEmpty else { return [exchange] }
    var all = kept
    all.append(exchange)
    return all
  }
}

extension Exchange {
  /// The weight of an exchange beside its bodies.
  private static let leastWeight = 1_000

  /// How many bytes it takes, roughly.
  fileprivate var weight: Int {
    Exchange.leastWeight * hops.count + (requestBody?.bytes.count ?? 0) + (responseBody?.bytes.count ?? 0)
  }
}
