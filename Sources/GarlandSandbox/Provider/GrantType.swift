/// The grants whose names are URIs.
enum GrantType {
  /// The device authorization grant (RFC 8628).
  static let device = "urn:ietf:params:oauth:grant-type:device_code"
  /// The JWT bearer grant (RFC 7523).
  static let jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
  /// The token exchange grant (RFC 8693).
  static let tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"
}
