import GarlandJSON

/// What a device shows so that somebody lets it in (RFC 8628 section 3.2).
public struct DeviceAuthorization: Sendable, Hashable {
  /// What the user types in.
  public let userCode: String
  /// The page to type it in at.
  public let verificationURI: String
  /// The same page with the code filled in, if the provider has it.
  public let completeURI: String?
  /// How long the code is good, in seconds: a day at most.
  public let expiresIn: Double
  /// A secret: what the device polls with.
  let deviceCode: String
  let interval: Double

  init(_ object: JSONObject) throws(OAuthError) {
    guard let device = object["device_code"]?.stringValue, let user = object["user_code"]?.stringValue,
      let uri = object["verification_uri"]?.stringValue ?? object["verification_url"]?.stringValue,
      let expiry = Self.seconds(object["expires_in"])
    else { throw .invalidResponse("device_code, user_code, verification_uri or expires_in is missing", .device) }
    deviceCode = device
    // They are shown to somebody.
    userCode = PlainText.of(user)
    verificationURI = PlainText.of(uri)
    completeURI = object["verification_uri_complete"]?.stringValue.map(PlainText.of)
    expiresIn = expiry
    interval = Self.seconds(object["interval"]) ?? 5
  }

  /// Some providers send the number as a string. Whatever it says, there is no day without a question.
  private static func seconds(_ value: JSONValue?) -> Double? {
    guard let seconds = value?.doubleValue ?? value?.stringValue.flatMap({ Double($0) }), !seconds.isNaN else { return nil }
    return min(max(seconds, 0), 86_400)
  }
}
