/// Says what happens to redirects.
///
/// ```swift
/// configuration.redirectHandler = Redirector.doNotFollow
/// ```
/// Asked for each redirect that could be followed by the rules of ``RedirectState``, after the limit of ``TransferSettings/redirects`` was checked.
public protocol RedirectHandler: Sendable {
  /// What happens to a redirect. `proposal` is the request that follows it, without what must not go to another origin.
  func redirect(_ redirect: RedirectHop, proposal: TransferRequest) async -> RedirectAction
}

/// What a ``RedirectHandler`` says.
public enum RedirectAction: Sendable {
  /// The proposal is sent.
  case follow
  /// The redirect itself is the response.
  case doNotFollow
  /// This is sent instead. Start from the proposal: what it lacks was left out for a reason.
  case modify(TransferRequest)
}

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
