import GarlandJSON
import GarlandResults

/// Removes the tokens from a provider's token response, so that reports can show the rest. A response that does not follow the RFCs may
/// contain a token in any member and in any form. Therefore reports show only members that are known to contain no token.
enum TokenAnswer {
  private static let open: Set<String> = [
    "error", "error_description", "error_uri", "token_type", "issued_token_type", "expires_in", "refresh_expires_in", "scope", "interval",
    "user_code", "verification_uri", "verification_uri_complete", "verification_url", "not-before-policy",
  ]

  static func shown(_ body: Exchange.Body, status: Int?) -> Exchange.Body {
    guard let value = try? JSONValue(parsing: body.bytes, options: JSONParsingOptions(maximumDepth: 64)), let object = value.objectValue
    else {
      // The body is probably an error page of a gateway.
      if let status, status >= 400, body.type?.hasPrefix("text/html") == true { return body }
      return of("\(body.size) bytes, not shown because they may contain a token", body, type: "text/plain")
    }
    let refuses = object["access_token"] == nil && object["refresh_token"] == nil
    let masked = object.map { name, value -> (String, JSONValue) in
      // Free text of a provider could repeat a secret from the request, unless the response only rejects the request.
      guard open.contains(name), !value.isContainer, refuses || !name.hasPrefix("error") else { return (name, "***") }
      return (name, value)
    }
    return of(JSONValue.object(JSONObject(masked)).jsonText(), body, type: body.type)
  }

  private static func of(_ text: String, _ body: Exchange.Body, type: String?) -> Exchange.Body {
    let bytes = Array(text.utf8)
    return Exchange.Body(bytes: bytes, size: bytes.count, type: type)
  }
}

extension JSONValue {
  fileprivate var isContainer: Bool { arrayValue != nil || objectValue != nil }
}
