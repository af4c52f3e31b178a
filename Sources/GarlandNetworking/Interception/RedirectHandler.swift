/// Decides whether redirects are followed.
///
/// ```swift
/// configuration.redirectHandler = Redirector.doNotFollow
/// ```
/// A session calls the handler for each redirect that the rules of ``RedirectState`` allow, after
/// checking the limit of ``TransferSettings/Values/redirects``.
public protocol RedirectHandler: Sendable {
  /// Decides about a redirect. `proposal` is the request that is sent if the redirect is followed. If the redirect leads to another origin,
  /// `proposal` contains no credentials.
  func redirect(_ redirect: RedirectHop, proposal: TransferRequest) async -> RedirectAction
}

/// The decision of a ``RedirectHandler``.
public enum RedirectAction: Sendable {
  /// Sends the request that the handler received as `proposal`.
  case follow
  /// Delivers the redirect itself as the response.
  case doNotFollow
  /// Sends the associated request instead. The handler should create this request from the proposed request, which contains no credentials
  /// if the redirect leads to another origin.
  case modify(TransferRequest)
}

/// A redirect handler that follows all redirects, follows no redirects, or calls a closure for each redirect.
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

  /// Returns the decision of the closure with which the handler was created.
  public func redirect(_ redirect: RedirectHop, proposal: TransferRequest) async -> RedirectAction {
    await decide(redirect, proposal)
  }
}
