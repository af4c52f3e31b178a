/// A 401 about which a ``ChallengeHandler`` decides.
public struct ReceivedChallenge: Sendable {
  /// The spaces that the server offers, in its order.
  public let spaces: [ProtectionSpace]
  /// The challenges that belong to ``spaces``.
  public let challenges: [AuthenticationChallenge]
  /// The credential that the server refused; nil if none was sent.
  public let refused: Credential?
  /// The number of earlier answers that the server refused.
  public let failures: Int
  /// The request as sent.
  public let request: TransferRequest
  /// The response.
  public let response: TransferResponse

  /// The first space.
  public var space: ProtectionSpace { spaces[0] }

  /// Returns nil for a response that challenges nobody, or for one of another origin than the
  /// request's.
  init?(_ response: TransferResponse, to request: TransferRequest, failures: Int) {
    guard response.status.code == 401, let url = try? URLReference(response.url), let origin = url.origin,
      (try? URLReference(request.url))?.origin == origin
    else { return nil }
    challenges = AuthenticationChallenge.all(in: response.headerFields)
    spaces = challenges.map { ProtectionSpace(origin: origin, realm: $0["realm"], scheme: $0.scheme.lowercased()) }
    if challenges.isEmpty { return nil }
    refused = request.credential
    self.failures = failures
    self.request = request
    self.response = response
  }
}
