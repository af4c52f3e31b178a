import GarlandResults
import Synchronization

/// What was sent for a token, until a step takes it into its report.
final class ExchangeLog: Sendable {
  private let exchanges = Mutex<[Exchange]>([])

  func add(_ exchange: Exchange) { exchanges.withLock { $0.append(exchange) } }

  /// What was added since the last time.
  func take() -> [Exchange] {
    exchanges.withLock { exchanges in
      defer { exchanges = [] }
      return exchanges
    }
  }
}
