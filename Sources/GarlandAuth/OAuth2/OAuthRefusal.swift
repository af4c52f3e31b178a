import GarlandJSON

/// A provider's refusal to issue a token (RFC 6749 sections 4.1.2.1 and 5.2).
public struct OAuthRefusal: Sendable, Hashable, CustomStringConvertible {
  /// The code in `error`, such as `invalid_grant`.
  public let code: String
  /// The provider's message in `error_description`; nil if there is no message.
  public let details: String?
  /// The URL of a page about the error, from `error_uri`; nil if there is no page.
  public let page: String?
  /// The HTTP status; nil if there was no response.
  public let status: Int?

  /// Creates a refusal.
  public init(code: String, details: String? = nil, page: String? = nil, status: Int? = nil) {
    self.code = code
    self.details = details
    self.page = page
    self.status = status
  }

  /// Reads the OAuth refusal in a JSON response. Returns nil if the response contains no refusal: a server that does not use OAuth may send
  /// a sentence instead of a code in `error`.
  init?(_ value: JSONValue, status: Int?) {
    guard let code = value["error"]?.stringValue, !code.isEmpty, code.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    self.init(
      code: code, details: value["error_description"]?.stringValue.map(PlainText.of),
      page: value["error_uri"]?.stringValue.map(PlainText.of),
      status: status)
  }

  /// The code of the error in backquotes, with the provider's message after a colon. If the provider sent no message, the meaning of the
  /// code follows in parentheses, such as "client authentication failed" for `invalid_client`.
  public var description: String {
    var text = "`\(code)`"
    if let details, !details.isEmpty {
      text += ": \(details)"
    } else if let meaning {
      text += " (\(meaning))"
    }
    if let page, !page.isEmpty { text += "; see \(page)" }
    return text
  }

  /// The meaning of the error code according to the OAuth RFCs; nil if these RFCs do not define the code.
  public var meaning: String? { Self.meanings[code] }

  var isFinal: Bool {
    guard code != "server_error", code != "temporarily_unavailable", let status else { return status == nil }
    return (400..<500).contains(status) && status != 429
  }

  private static let meanings = [
    "invalid_request": "a parameter is missing, repeated or malformed",
    "invalid_client": "client authentication failed",
    "invalid_grant": "the code, token, password or assertion is invalid, expired or revoked, or belongs to another client or redirect URI",
    "unauthorized_client": "the client may not use this grant",
    "unsupported_grant_type": "the provider does not offer this grant",
    "unsupported_response_type": "the provider does not offer this way to get a code",
    "invalid_scope": "the scope is invalid, unknown, or more than what was granted",
    "server_error": "the provider met an unexpected condition",
    "temporarily_unavailable": "the provider is overloaded or under maintenance",
    "invalid_target": "the audience or resource is invalid or unknown",
    "authorization_pending": "the user has not decided yet",
    "slow_down": "the device asks too often",
    "expired_token": "the device code has expired",
    "login_required": "the user has to log in",
    "consent_required": "the user has to consent",
    "interaction_required": "the user has to do something",
    "account_selection_required": "the user has to select an account",
    "invalid_request_uri": "the `request_uri` leads to an error, or its content is invalid",
    "invalid_request_object": "the request object is invalid",
    "request_not_supported": "the provider does not support request objects",
    "request_uri_not_supported": "the provider does not support `request_uri`",
    "registration_not_supported": "the provider does not support client registration in a request",
    "unmet_authentication_requirements": "the provider cannot log the user in with the requested methods",
    "invalid_token": "the token is expired, revoked, malformed or invalid",
    "insufficient_scope": "the token lacks a required scope",
    "unsupported_token_type": "the provider does not revoke tokens of this type",
    "use_dpop_nonce": "the provider requires proof of possession (DPoP), which is not supported",
    "invalid_dpop_proof": "the provider requires proof of possession (DPoP), which is not supported",
  ]
}
