/// A part of a server that accepts the same credentials (RFC 9110, section 11.5).
public struct ProtectionSpace: Sendable, Hashable {
  /// The scheme, host and port.
  public let origin: Origin
  /// The realm; nil if the server names none.
  public let realm: String?
  /// The authentication scheme in lower case, such as `basic`.
  public let scheme: String

  /// Creates a space.
  public init(origin: Origin, realm: String?, scheme: String) {
    self.origin = origin
    self.realm = realm
    self.scheme = scheme
  }
}
