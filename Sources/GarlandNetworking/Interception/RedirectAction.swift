/// The decision of a ``RedirectHandler``.
public enum RedirectAction: Sendable {
  /// Sends the proposed request.
  case follow
  /// Delivers the redirect itself as the response.
  case doNotFollow
  /// Sends the associated request instead. Start from the proposed request, which lacks the fields that must not go to another origin.
  case modify(TransferRequest)
}
