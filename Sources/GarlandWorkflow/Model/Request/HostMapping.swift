/// An entry of `resolve:` or `connect_to:`.
public struct HostMapping: Sendable {
  /// `HOST:PORT` that a URL names.
  public let from: Located<String>
  /// An address, for `resolve`; `HOST:PORT`, for `connect_to`.
  public let to: Setting<String>
}
