/// What a ``RedirectHandler`` says.
public enum RedirectAction: Sendable {
  /// The proposal is sent.
  case follow
  /// The redirect itself is the response.
  case doNotFollow
  /// This is sent instead. Start from the proposal: what it lacks was left out for a reason.
  case modify(TransferRequest)
}
