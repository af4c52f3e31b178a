/// An entry of `resolve:` or `connect_to:`, which changes the target of a connection.
public struct HostMapping: Sendable {
  /// The `HOST:PORT` of a URL.
  public let from: Located<String>
  /// The address to use instead, for `resolve`; the `HOST:PORT` to use instead, for `connect_to`.
  public let to: Setting<String>
}
