import GarlandJSON

/// An error of an OAuth endpoint, in the form that RFC 6749, section 5.2, defines for the token endpoint.
struct OAuthError: Error {
  let code: String
  let description: String
  /// The authentication scheme that the client used; nil if the error is not about the client's authentication.
  var challenge: String?

  init(_ code: String, _ description: String, challenge: String? = nil) {
    self.code = code
    self.description = description
    self.challenge = challenge
  }

  var response: SandboxResponse {
    var headers = [HeaderField("Cache-Control", "no-store"), HeaderField("Pragma", "no-cache")]
    if let challenge { headers.append(HeaderField("WWW-Authenticate", "\(challenge) realm=\"sandbox\"")) }
    return .json(
      ["error": .string(code), "error_description": .string(description)], status: code == "invalid_client" ? 401 : 400, headers: headers)
  }
}
