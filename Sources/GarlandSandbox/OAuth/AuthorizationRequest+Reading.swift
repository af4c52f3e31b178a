extension AuthorizationRequest {
  /// The error for an unknown client or redirect URI. It is shown to the user, and never sent to the redirect URI (RFC 6749, section
  /// 4.1.2.1).
  struct Untrusted: Error {
    let reason: String
  }

  /// The result of reading an authorization request: the valid request, or an error that a redirect reports to the client.
  enum Outcome {
    case valid(AuthorizationRequest)
    case refused(redirect: String, state: String?, OAuthError)
  }

  static func read(_ query: FormPairs) throws(Untrusted) -> Outcome {
    guard query.all("client_id").count == 1, let id = query["client_id"], let client = OAuthClient.named(id) else {
      throw Untrusted(reason: "The client is not known here.")
    }
    guard query.all("redirect_uri").count == 1, let redirect = query["redirect_uri"], client.allows(redirect: redirect) else {
      throw Untrusted(reason: "The redirect_uri is not one of those that are registered for the client \(id), to the letter.")
    }
    let state = query["state"]
    do throws(OAuthError) {
      return .valid(try AuthorizationRequest(client, redirect, state, query))
    } catch {
      return .refused(redirect: redirect, state: state, error)
    }
  }

  private init(_ client: OAuthClient, _ redirect: String, _ state: String?, _ query: FormPairs) throws(OAuthError) {
    var seen: Set<String> = ["resource", "audience"]
    for (name, _) in query.pairs where name != "resource" && name != "audience" && !seen.insert(name).inserted {
      throw OAuthError("invalid_request", "\(name) is repeated")
    }
    guard let type = query["response_type"] else { throw OAuthError("invalid_request", "response_type is needed") }
    guard type == "code" else { throw OAuthError("unsupported_response_type", "the response_type \(type) is not offered") }
    guard client.grants.contains("authorization_code") else {
      throw OAuthError("unauthorized_client", "the client \(client.id) may not use authorization codes")
    }
    guard let challenge = query["code_challenge"] else { throw OAuthError("invalid_request", "code_challenge is needed (PKCE)") }
    guard query["code_challenge_method"] == "S256" else { throw OAuthError("invalid_request", "code_challenge_method has to be S256") }
    guard challenge.utf8.count == 43 else { throw OAuthError("invalid_request", "code_challenge has to be the base64url of a SHA-256") }
    self.init(
      client: client.id, redirect: redirect, state: state,
      scope: try TokenEndpoint.scope(query["scope"], within: TokenEndpoint.scopes), audience: try TokenEndpoint.audience(query),
      challenge: challenge, nonce: query["nonce"], prompt: query["prompt"])
  }
}
