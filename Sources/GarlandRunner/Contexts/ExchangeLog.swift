import GarlandResults
import Synchronization

/// What was sent for a token, until a step takes it into its report.
final class ExchangeLog: Sendable {
  private let exchanges = Mutex<[Exchange]>([])
  private let cause = Mutex<CheckFailure?>(nil)

  /// What went wrong in the steps that walked the provider's pages last; nil if nothing did.
  var failure: CheckFailure? {
    get { cause.withLock { $0 } }
    set { cause.withLock { $0 = newValue } }
  }

  func add(_ exchange: Exchange) { exchanges.withLock { $0.append(exchange) } }

  /// What was added since the last time.
  func take() -> [Exchange] {
    exchanges.withLock { exchanges in
      defer { exchanges = [] }
      return exchanges
    }
  }
}
