/// A 401 response about which a ``ChallengeHandler`` decides.
public struct ReceivedChallenge: Sendable {
  /// The protection spaces of the response's challenges, in the server's order.
  public let spaces: [ProtectionSpace]
  /// The challenges of the response. Each challenge belongs to the protection space with the same index in ``spaces``.
  public let challenges: [AuthenticationChallenge]
  /// The credential that the server refused; nil if no credential was sent.
  public let refused: Credential?
  /// The number of the handler's credentials that the server has refused so far.
  public let failures: Int
  /// The request as it was sent, with the credential that the server refused.
  public let request: TransferRequest
  /// The response that has the challenges.
  public let response: TransferResponse

  /// The first protection space in ``spaces``.
  public var space: ProtectionSpace { spaces[0] }

  /// Creates the challenge of a response. Returns nil if the response is not a 401 with a challenge, or if it comes from another origin
  /// than the one in the request's URL.
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

/// A group of resources on one server that accept the same credentials (RFC 9110, section 11.5).
public struct ProtectionSpace: Sendable, Hashable {
  /// The scheme, host and port of the server that requires credentials.
  public let origin: Origin
  /// The realm; nil if the server names none.
  public let realm: String?
  /// The authentication scheme in lower case, such as `basic`.
  public let scheme: String

  /// Creates a protection space.
  public init(origin: Origin, realm: String?, scheme: String) {
    self.origin = origin
    self.realm = realm
    self.scheme = scheme
  }
}
