/// Ready-made redirect handlers.
public struct Redirector: RedirectHandler {
  private let decide: @Sendable (RedirectHop, TransferRequest) async -> RedirectAction

  /// Creates a handler from a closure.
  public init(_ decide: @escaping @Sendable (_ redirect: RedirectHop, _ proposal: TransferRequest) async -> RedirectAction) {
    self.decide = decide
  }

  /// Follows every redirect.
  public static let follow = Redirector { _, _ in .follow }
  /// Follows no redirect: the 3xx response is delivered.
  public static let doNotFollow = Redirector { _, _ in .doNotFollow }

  /// Calls the closure.
  public func redirect(_ redirect: RedirectHop, proposal: TransferRequest) async -> RedirectAction {
    await decide(redirect, proposal)
  }
}
