import GarlandJSON

/// What a device shows so that somebody lets it in (RFC 8628 section 3.2).
public struct DeviceAuthorization: Sendable, Hashable {
  /// What the user types in.
  public let userCode: String
  /// The page to type it in at.
  public let verificationURI: String
  /// The same page with the code filled in, if the provider has it.
  public let completeURI: String?
  /// How long the code is good, in seconds.
  public let expiresIn: Double
  /// A secret: what the device polls with.
  let deviceCode: String
  let interval: Double

  init(_ object: JSONObject) throws(OAuthError) {
    guard let device = object["device_code"]?.stringValue, let user = object["user_code"]?.stringValue,
      let uri = object["verification_uri"]?.stringValue ?? object["verification_url"]?.stringValue,
      let expiry = object["expires_in"]?.doubleValue
    else { throw .invalidResponse("device_code, user_code, verification_uri or expires_in is missing", .device) }
    deviceCode = device
    userCode = user
    verificationURI = uri
    completeURI = object["verification_uri_complete"]?.stringValue
    expiresIn = expiry
    interval = max(object["interval"]?.doubleValue ?? 5, 0)
  }
}
