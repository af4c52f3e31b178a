import GarlandResults
import Synchronization

/// Collects the requests that were sent to obtain a token. These requests later become part of a step's result, so that reports show them.
final class ExchangeLog: Sendable {
  private let exchanges = Mutex<[Exchange]>([])
  private let cause = Mutex<CheckFailure?>(nil)

  /// The failure of the last run of `authorize` steps; nil if these steps passed.
  var failure: CheckFailure? {
    get { cause.withLock { $0 } }
    set { cause.withLock { $0 = newValue } }
  }

  func add(_ exchange: Exchange) { exchanges.withLock { $0.append(exchange) } }

  /// Returns and removes the collected exchanges.
  func take() -> [Exchange] {
    exchanges.withLock { exchanges in
      defer { exchanges = [] }
      return exchanges
    }
  }
}
