/// The settings for storing and reusing responses, from the key `cache:`. A setting that is nil is unset.
public struct CacheSettings: Sendable {
  /// Whether responses are cached. A mapping as the value of `cache:` means true. Default: false.
  public internal(set) var isEnabled: Setting<Bool>?
  /// The folder for cached responses, relative to the working directory, from the key `cache.dir:`. If nil, responses are stored in memory
  /// until the document's run ends.
  public internal(set) var directory: Setting<String>?
  /// The rules for using stored responses, from the key `cache.policy:`. Default: `protocol`.
  public internal(set) var policy: Setting<CachePolicySetting>?

  init() {}
}
