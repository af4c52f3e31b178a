import HTTPTypes

/// The authentication schemes that a server required when it refused a request with 401, and the scheme
/// that was sent.
///
/// ```swift
/// if let refusal = response.authenticationRefusal { print(refusal) }   // "the server asks for Digest, and was sent Basic"
/// ```
/// The type contains only the names of schemes: no user, password, token or realm.
public struct AuthenticationRefusal: Sendable, Hashable, CustomStringConvertible {
  /// The distinct authentication schemes in the challenges of the response, at most five; empty if the response contains no challenge.
  public let schemes: [String]
  /// The scheme of the credential that was sent; nil if no credential was sent.
  public let sentScheme: String?

  /// The maximum number of authentication schemes in ``schemes``. No server needs more, but a header may name more.
  private static let limit = 5

  init(_ fields: HTTPFields, sent: String?) {
    var schemes: [String] = []
    for challenge in AuthenticationChallenge.all(in: fields) where !schemes.contains(where: challenge.isOf(scheme:)) {
      schemes.append(challenge.scheme)
    }
    self.schemes = Array(schemes.prefix(Self.limit))
    sentScheme = sent
  }

  /// The refusal as a message.
  public var description: String {
    guard let last = schemes.last else {
      let sent = sentScheme.map { "was sent \($0)" } ?? "no credentials were sent"
      return "the server does not name a scheme (it sends no `WWW-Authenticate`), and \(sent)"
    }
    let asked = schemes.count == 1 ? last : schemes.dropLast().joined(separator: ", ") + " or " + last
    guard let sentScheme else { return "the server asks for \(asked), and no credentials were sent" }
    let isAsked = schemes.contains { AuthenticationChallenge(scheme: $0).isOf(scheme: sentScheme) }
    return isAsked
      ? "the server asks for \(asked), was sent \(sentScheme), and does not accept it"
      : "the server asks for \(asked), and was sent \(sentScheme)"
  }
}

extension TransferResponse {
  /// The authentication refusal if the status is 401, otherwise nil.
  public var authenticationRefusal: AuthenticationRefusal? {
    status.code == 401 ? AuthenticationRefusal(headerFields, sent: request.authenticationScheme) : nil
  }
}

extension SentRequest {
  /// The scheme of the credential that was sent, such as `Basic`; nil if no credential was sent.
  ///
  /// If the scheme in the `Authorization` field is unknown, the result is "a credential of another scheme", since the field's first word
  /// may be the secret itself.
  public var authenticationScheme: String? {
    guard let value = given[.authorization] else { return ticketProblem == nil ? additions.libraryScheme?.rawValue : nil }
    let scheme = AuthenticationChallenge(scheme: String(value.prefix { $0 != " " }))
    return Self.knownSchemes.contains(where: scheme.isOf(scheme:)) ? scheme.scheme : "a credential of another scheme"
  }

  /// The authentication schemes that IANA has registered, and other authentication schemes in wide use.
  private static let knownSchemes = [
    "Basic", "Bearer", "Digest", "Negotiate", "NTLM", "OAuth", "DPoP", "AWS4-HMAC-SHA256", "Hawk", "HOBA", "Mutual", "SCRAM-SHA-1",
    "SCRAM-SHA-256", "GNAP", "PrivateToken", "Concealed", "vapid",
  ]
}
