/// An entry of `resolve:` or `connect_to:`, which changes the target of a connection.
public struct HostMapping: Sendable {
  /// The host and port of a URL, in the form `HOST:PORT`.
  public let from: Located<String>
  /// The address that is used instead of ``from``: an IP address for `resolve`, and `HOST:PORT` for `connect_to`.
  public let to: Setting<String>
}
