/// Ready-made redirect handlers.
public struct Redirector: RedirectHandler {
  private let decide: @Sendable (RedirectHop, TransferRequest) async -> RedirectAction

  /// One made of a closure.
  public init(_ decide: @escaping @Sendable (_ redirect: RedirectHop, _ proposal: TransferRequest) async -> RedirectAction) {
    self.decide = decide
  }

  /// Every redirect is followed.
  public static let follow = Redirector { _, _ in .follow }
  /// None is: the 3xx is the response.
  public static let doNotFollow = Redirector { _, _ in .doNotFollow }

  /// Asks the closure.
  public func redirect(_ redirect: RedirectHop, proposal: TransferRequest) async -> RedirectAction {
    await decide(redirect, proposal)
  }
}
