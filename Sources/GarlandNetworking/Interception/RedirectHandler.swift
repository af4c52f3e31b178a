/// Decides whether redirects are followed.
///
/// ```swift
/// configuration.redirectHandler = Redirector.doNotFollow
/// ```
/// A session calls the handler for each redirect that the rules of ``RedirectState`` allow, after
/// checking the limit of ``TransferSettings/Values/redirects``.
public protocol RedirectHandler: Sendable {
  /// Decides about a redirect. `proposal` is the request that is sent if the redirect is followed. It
  /// lacks the fields that must not go to another origin.
  func redirect(_ redirect: RedirectHop, proposal: TransferRequest) async -> RedirectAction
}
