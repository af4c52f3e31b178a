import GarlandJSON
import GarlandTransfer
import HTTPTypes

/// Parses the responses of the provider's endpoints.
enum OAuthAnswer {
  /// The names of the secret members of the provider's response.
  private static let secrets = ["access_token", "refresh_token", "id_token", "device_code"]

  /// Returns the JSON object of a successful response. Throws ``OAuthError/refused(_:_:)`` for a refusal, and
  /// ``OAuthError/invalidResponse(_:_:)`` for any other response. Secrets in the response are registered first, since an error message may
  /// contain the response.
  static func object(
    _ response: TransferResponse, of endpoint: OAuthError.Endpoint, _ environment: AuthEnvironment
  ) throws(OAuthError) -> JSONObject {
    let status = response.status.code
    let lenient = try? JSONValue(parsing: response.bytes, options: JSONParsingOptions(maximumDepth: 64))
    for (name, value) in lenient?.objectValue ?? [:] where secrets.contains(name) { value.stringValue.map(environment.registerSecret) }
    let value = try? JSONValue(parsing: response.bytes, options: JSONParsingOptions(maximumDepth: 64, duplicateKeys: .error))
    if let value, let refusal = OAuthRefusal(value, status: status) { throw .refused(refusal, endpoint) }
    return try good(value, response, endpoint, otherwise: " without an error code")
  }

  /// Returns a document that the provider publishes. Requests for such documents require no authentication. Therefore, a response with
  /// the member `error` is not a refusal; it means only that the server has no such document.
  static func metadata(_ response: TransferResponse, _ endpoint: OAuthError.Endpoint = .discovery) throws(OAuthError) -> JSONObject {
    let value = try? JSONValue(parsing: response.bytes, options: JSONParsingOptions(maximumDepth: 64, duplicateKeys: .error))
    return try good(value, response, endpoint, otherwise: "")
  }

  private static func good(
    _ value: JSONValue?, _ response: TransferResponse, _ endpoint: OAuthError.Endpoint, otherwise: String
  ) throws(OAuthError) -> JSONObject {
    let status = response.status.code
    guard status == 200 || (status == 201 && endpoint == .token) else {
      let location = response.headerFields[.location].map { ", a redirect to \(PlainText.of($0))" } ?? ""
      throw .invalidResponse("status \(status)\(location)\(otherwise)", endpoint)
    }
    guard case .object(let object)? = value else {
      let type = response.headerFields[.contentType].map { PlainText.of($0) } ?? "none"
      throw .invalidResponse("a body of type \(type) that is not a JSON object", endpoint)
    }
    return object
  }

  /// Returns the tokens of a response (RFC 6749 section 5.1). `requested` is the scope that applies if the response contains no scope.
  static func tokens(
    _ response: TransferResponse, requested: [String], _ environment: AuthEnvironment
  ) throws(OAuthError) -> TokenSet {
    let object = try object(response, of: .token, environment)
    guard let access = object["access_token"]?.stringValue, !access.isEmpty else {
      throw .invalidResponse("it has no access_token", .token)
    }
    // RFC 6749 section 7.1: a token type that is not understood must not be used. RFC 8693 uses N_A
    // for tokens that are not access tokens.
    let type = object["token_type"]?.stringValue ?? "Bearer"
    guard type.lowercased() == "bearer" || type == "N_A" else {
      throw .invalidResponse("its token_type is \(PlainText.of(type)), but only Bearer is supported", .token)
    }
    let now = environment.now()
    var tokens = TokenSet(accessToken: access, obtainedAt: now)
    tokens.refreshToken = object["refresh_token"]?.stringValue
    tokens.idToken = object["id_token"]?.stringValue
    tokens.scope = object["scope"]?.stringValue?.split(separator: " ").map { String($0) } ?? requested
    if let value = object["expires_in"], !value.isNull {
      // Some providers send the number as a string.
      guard let seconds = value.doubleValue ?? value.stringValue.flatMap({ Double($0) }), seconds.isFinite, seconds >= 0 else {
        throw .invalidResponse("its expires_in is not a number of seconds", .token)
      }
      tokens.expiresAt = now + seconds
    }
    return tokens
  }
}
