/// An entry of `resolve:` or `connect_to:`, which changes the target of a connection.
public struct HostMapping: Sendable {
  /// The `HOST:PORT` of a URL.
  public let from: Located<String>
  /// The address to use instead of `from`: an IP address for `resolve`, a `HOST:PORT` for `connect_to`.
  public let to: Setting<String>
}
