/// Decides whether redirects are followed.
///
/// ```swift
/// configuration.redirectHandler = Redirector.doNotFollow
/// ```
/// A session asks the handler about each redirect that the rules of ``RedirectState`` allow, after
/// checking the limit of ``TransferSettings/Values/redirects``.
public protocol RedirectHandler: Sendable {
  /// Decides about a redirect. `proposal` is the request that would follow, without fields that
  /// must not go to another origin.
  func redirect(_ redirect: RedirectHop, proposal: TransferRequest) async -> RedirectAction
}
