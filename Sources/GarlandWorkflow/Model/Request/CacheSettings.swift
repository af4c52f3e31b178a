/// `cache:`: whether responses are stored and reused. A setting that is nil is unset.
public struct CacheSettings: Sendable {
  /// `cache: true` or `false`; a mapping is true. Default: false.
  public internal(set) var isEnabled: Setting<Bool>?
  /// `cache.dir:`, a folder, relative to the working directory. If nil, responses are stored only for the duration of the document's run.
  public internal(set) var directory: Setting<String>?
  /// `cache.policy:`. Default: `protocol`.
  public internal(set) var policy: Setting<CachePolicySetting>?

  init() {}

  /// Returns these settings; unset ones are taken from the defaults.
  func merged(over defaults: CacheSettings) -> CacheSettings {
    var result = self
    result.isEnabled = isEnabled ?? defaults.isEnabled
    result.directory = directory ?? defaults.directory
    result.policy = policy ?? defaults.policy
    return result
  }
}
