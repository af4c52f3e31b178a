import Testing

@testable import GarlandWorkflow

@Suite struct TransportSettingsTests {
  private struct Listing: TransportVisitor {
    var keys: [String] = []

    mutating func visit<Value: SettingValue>(
      _ key: String, _ effect: SettingEffect, _ setting: inout Setting<Value>?, _ inherited: Setting<Value>?
    ) {
      keys.append(key)
    }
  }

  private static let listed: [String] = {
    var listing = Listing()
    var settings = TransportSettings()
    settings.visit(&listing)
    return listing.keys
  }()

  /// Settings with a structure of their own, by the names of the properties and of the keys.
  private static let structured = ["resolve": "resolve", "connectTo": "connect_to", "cache": "cache", "tls": "tls"]

  /// The properties of `tls` that are no single values. They are in `isFixed` and `merged(over:)` of `TransportSettings`, and in
  /// `ReferenceCollector.add`; `nulls` is only in `merged(over:)`.
  private static let structuredTLS = ["ca", "cert", "key", "password", "pins", "nulls"]

  private static func properties(of settings: Any, besides structured: some Collection<String>) -> [String] {
    Mirror(reflecting: settings).children.compactMap(\.label).filter { !structured.contains($0) }
  }

  @Test func `the method 'visit' of transport settings calls the visitor exactly once for each setting`() {
    let properties = Self.properties(of: TransportSettings(), besides: Self.structured.keys)
    #expect(Self.listed.count { !$0.hasPrefix("cache") && !$0.hasPrefix("tls.") } == properties.count, "\(properties)")
    #expect(Set(Self.listed).count == Self.listed.count)
  }

  @Test func `the method 'visit' of transport settings calls the visitor for each setting of 'tls' and 'cache' with a single value`() {
    let tls = Self.properties(of: TLSSettings(), besides: Self.structuredTLS)
    #expect(Self.listed.count { $0.hasPrefix("tls.") } == tls.count, "\(tls)")
    let cache = Self.properties(of: CacheSettings(), besides: [String]())
    #expect(Self.listed.count { $0.hasPrefix("cache") } == cache.count, "\(cache)")
  }

  @Test func `a step has a key for each transport setting, such as 'timeout', or for its group, such as 'tls'`() {
    let keys = Set(StepKey.transport.keys.map(\.name))
    for name in Self.listed { #expect(keys.contains(String(name.prefix { $0 != "." })), "\(name)") }
    #expect(keys.isSuperset(of: Self.structured.values))
  }
}
