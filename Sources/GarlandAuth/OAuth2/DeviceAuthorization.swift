import GarlandJSON

/// The information that a device shows to the user, who then allows the device (RFC 8628 section 3.2).
public struct DeviceAuthorization: Sendable, Hashable {
  /// The code that the user enters.
  public let userCode: String
  /// The page on which the user enters the code.
  public let verificationURI: String
  /// The page on which the user code is already filled in; nil if the provider has no such page.
  public let completeURI: String?
  /// The lifetime of the device code and the user code in seconds; at most a day.
  public let expiresIn: Double
  /// The secret that the device sends when it polls.
  let deviceCode: String
  let interval: Double

  init(_ object: JSONObject) throws(OAuthError) {
    guard let device = object["device_code"]?.stringValue, let user = object["user_code"]?.stringValue,
      let uri = object["verification_uri"]?.stringValue ?? object["verification_url"]?.stringValue,
      let expiry = Self.seconds(object["expires_in"])
    else { throw .invalidResponse("device_code, user_code, verification_uri or expires_in is missing", .device) }
    deviceCode = device
    // These texts are shown to the user, so they must not contain control characters.
    userCode = PlainText.of(user)
    verificationURI = PlainText.of(uri)
    completeURI = object["verification_uri_complete"]?.stringValue.map(PlainText.of)
    expiresIn = expiry
    interval = Self.seconds(object["interval"]) ?? 5
  }

  /// Returns a number of seconds, at most a day; nil if `value` is not a number. Some providers send the number as a string.
  private static func seconds(_ value: JSONValue?) -> Double? {
    guard let seconds = value?.doubleValue ?? value?.stringValue.flatMap({ Double($0) }), !seconds.isNaN else { return nil }
    return min(max(seconds, 0), 86_400)
  }
}
