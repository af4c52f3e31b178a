/// Says what happens to redirects.
///
/// ```swift
/// configuration.redirectHandler = Redirector.doNotFollow
/// ```
/// Asked for each redirect that could be followed by the rules of ``RedirectState``, after the limit of ``TransferSettings/Values/redirects`` was checked.
public protocol RedirectHandler: Sendable {
  /// What happens to a redirect. `proposal` is the request that follows it, without what must not go to another origin.
  func redirect(_ redirect: RedirectHop, proposal: TransferRequest) async -> RedirectAction
}
