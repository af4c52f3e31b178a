import GarlandJSON
import GarlandTransfer
import HTTPTypes

/// Reading what the provider's endpoints answer.
enum OAuthAnswer {
  /// What an answer can hold that nobody may see.
  private static let secrets = ["access_token", "refresh_token", "id_token", "device_code"]

  /// The JSON object of a good answer; a refusal, or whatever else came, as an error. Whatever is secret in it is made known first: what is wrong
  /// with an answer is shown.
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

  /// What a provider publishes. Nobody is refused there, and `error` is what a server that knows no such page says in its own way.
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
      throw .invalidResponse("a body of type \(type) that is no JSON object", endpoint)
    }
    return object
  }

  /// The tokens of an answer (RFC 6749 section 5.1). `requested` is the scope that the provider means when it names none.
  static func tokens(
    _ response: TransferResponse, requested: [String], _ environment: AuthEnvironment
  ) throws(OAuthError) -> TokenSet {
    let object = try object(response, of: .token, environment)
    guard let access = object["access_token"]?.stringValue, !access.isEmpty else {
      throw .invalidResponse("it has no access_token", .token)
    }
    // RFC 6749 section 7.1: a type that is not understood must not be used. RFC 8693 has N_A for what is no access token.
    let type = object["token_type"]?.stringValue ?? "Bearer"
    guard type.lowercased() == "bearer" || type == "N_A" else {
      throw .invalidResponse("its token_type is \(PlainText.of(type)), and only Bearer can be sent", .token)
    }
    let now = environment.now()
    var tokens = TokenSet(accessToken: access, obtainedAt: now)
    tokens.refreshToken = object["refresh_token"]?.stringValue
    tokens.idToken = object["id_token"]?.stringValue
    tokens.scope = object["scope"]?.stringValue?.split(separator: " ").map { String($0) } ?? requested
    if let value = object["expires_in"], !value.isNull {
      // Some providers send the number as a string.
      guard let seconds = value.doubleValue ?? value.stringValue.flatMap({ Double($0) }), seconds.isFinite, seconds >= 0 else {
        throw .invalidResponse("its expires_in is no number of seconds", .token)
      }
      tokens.expiresAt = now + seconds
    }
    return tokens
  }
}
