/// `cache:`: whether responses are stored and reused. A setting that is nil is unset.
public struct CacheSettings: Sendable {
  /// Whether responses are cached: `cache:` as `true`, `false` or a mapping, which means true. Default: false.
  public internal(set) var isEnabled: Setting<Bool>?
  /// The folder for cached responses, relative to the working directory: `cache.dir:`. If nil, responses are stored in memory until the
  /// document's run ends.
  public internal(set) var directory: Setting<String>?
  /// The rules for using stored responses: `cache.policy:`. Default: `protocol`.
  public internal(set) var policy: Setting<CachePolicySetting>?

  init() {}
}
