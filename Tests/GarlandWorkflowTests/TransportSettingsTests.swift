import Testing

@testable import GarlandWorkflow

@Suite struct TransportSettingsTests {
  private struct Listing: TransportVisitor {
    var keys: [String] = []

    mutating func visit<Value: SettingValue>(_ key: String, _ setting: inout Setting<Value>?, _ inherited: Setting<Value>?) {
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

  @Test func `the method 'visit' of transport settings calls the visitor exactly once for each setting`() {
    let properties = Mirror(reflecting: TransportSettings()).children.compactMap(\.label).filter { Self.structured[$0] == nil }
    #expect(Self.listed.count { !$0.hasPrefix("cache") && !$0.hasPrefix("tls.") } == properties.count)
    #expect(Set(Self.listed).count == Self.listed.count)
  }

  @Test func `a step has a key for each transport setting, such as 'timeout', or for its group, such as 'tls'`() {
    let keys = Set(StepKey.transport.keys.map(\.name))
    for name in Self.listed { #expect(keys.contains(String(name.prefix { $0 != "." })), "\(name)") }
    #expect(keys.isSuperset(of: Self.structured.values))
  }
}
