/// The grants that are named by URIs.
enum GrantType {
  /// RFC 8628.
  static let device = "urn:ietf:params:oauth:grant-type:device_code"
  /// RFC 7523.
  static let jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
  /// RFC 8693.
  static let tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"
}
