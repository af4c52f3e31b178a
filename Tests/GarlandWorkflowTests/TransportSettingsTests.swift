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

  @Test func `the list of a step's transport settings contains each property that has a simple value`() {
    let properties = Mirror(reflecting: TransportSettings()).children.compactMap(\.label).filter { Self.structured[$0] == nil }
    #expect(Self.listed.count { !$0.hasPrefix("cache") && !$0.hasPrefix("tls.") } == properties.count)
    #expect(Set(Self.listed).count == Self.listed.count)
  }

  @Test func `each key of a step for its connection is in the list of transport settings or has a structured value`() {
    for key in StepKey.transport.keys {
      let name = key == .traces ? StepKey.trace.rawValue : key.rawValue
      #expect(Self.listed.contains(name) || Self.structured.values.contains(name), "\(name)")
    }
  }
}
