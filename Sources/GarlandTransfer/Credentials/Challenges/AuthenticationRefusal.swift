import HTTPTypes

/// What a server that refused a request with 401 had asked for, and what it was sent.
///
/// ```swift
/// if let refusal = response.authenticationRefusal { print(refusal) }   // "the server asks for Digest, and was sent Basic"
/// ```
/// It names schemes only: no user, password, token or realm is in it.
public struct AuthenticationRefusal: Sendable, Hashable, CustomStringConvertible {
  /// The schemes of its challenges, in their order, each once; none if it said nothing.
  public let schemes: [String]
  /// The scheme of the credential that it was sent, nil if there was none.
  public let sentScheme: String?

  /// Nobody has more of them, but a header may.
  private static let limit = 5

  init(_ fields: HTTPFields, sent: String?) {
    var schemes: [String] = []
    for challenge in AuthenticationChallenge.all(in: fields) where !schemes.contains(where: challenge.isOf(scheme:)) {
      schemes.append(challenge.scheme)
    }
    self.schemes = Array(schemes.prefix(Self.limit))
    sentScheme = sent
  }

  /// Human words.
  public var description: String {
    guard let last = schemes.last else {
      let sent = sentScheme.map { "was sent \($0)" } ?? "nothing was sent that proves who is asking"
      return "the server does not say what it asks for (it has no `WWW-Authenticate`), and \(sent)"
    }
    let asked = schemes.count == 1 ? last : schemes.dropLast().joined(separator: ", ") + " or " + last
    guard let sentScheme else { return "the server asks for \(asked), and nothing was sent that proves who is asking" }
    let isAsked = schemes.contains { AuthenticationChallenge(scheme: $0).isOf(scheme: sentScheme) }
    return isAsked
      ? "the server asks for \(asked), was sent \(sentScheme), and does not accept what it says"
      : "the server asks for \(asked), and was sent \(sentScheme)"
  }
}

extension TransferResponse {
  /// What the server asked for, if it refused with 401.
  public var authenticationRefusal: AuthenticationRefusal? {
    status.code == 401 ? AuthenticationRefusal(headerFields, sent: request.authenticationScheme) : nil
  }
}

extension SentRequest {
  /// The scheme of what proved who was asking, such as `Basic`; nil if nothing did.
  ///
  /// Of a field that begins with no scheme that is known it says no more than that: its first word may be the secret itself.
  public var authenticationScheme: String? {
    guard let value = given[.authorization] else { return ticketProblem == nil ? additions.libraryScheme?.rawValue : nil }
    let scheme = AuthenticationChallenge(scheme: String(value.prefix { $0 != " " }))
    return Self.knownSchemes.contains(where: scheme.isOf(scheme:)) ? scheme.scheme : "a credential of another scheme"
  }

  /// Those that IANA has registered, and those in wide use.
  private static let knownSchemes = [
    "Basic", "Bearer", "Digest", "Negotiate", "NTLM", "OAuth", "DPoP", "AWS4-HMAC-SHA256", "Hawk", "HOBA", "Mutual", "SCRAM-SHA-1",
    "SCRAM-SHA-256", "GNAP", "PrivateToken", "Concealed", "vapid",
  ]
}
