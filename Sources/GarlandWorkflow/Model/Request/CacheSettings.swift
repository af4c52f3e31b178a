/// `cache:`: whether responses are stored and reused; nil settings are unset.
public struct CacheSettings: Sendable {
  /// `cache: true` or `false`; a mapping is true. Default: false.
  public internal(set) var isEnabled: Setting<Bool>?
  /// `cache.dir:`, relative to the working directory. Without one responses are kept for the document's run only.
  public internal(set) var directory: Setting<String>?
  /// `cache.policy:`. Default: `protocol`.
  public internal(set) var policy: Setting<CachePolicySetting>?

  init() {}

  /// These over the defaults.
  func merged(over defaults: CacheSettings) -> CacheSettings {
    var result = self
    result.isEnabled = isEnabled ?? defaults.isEnabled
    result.directory = directory ?? defaults.directory
    result.policy = policy ?? defaults.policy
    return result
  }
}
