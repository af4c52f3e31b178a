import GarlandText

/// The data that the sandbox keeps for one tenant: tokens, jobs, counters and the bookshop. The field `X-Sandbox-Tenant` of a request
/// selects the tenant.
struct TenantState: Sendable {
  /// The time since the start of the server. A token expires when this time reaches the end of its lifetime. The time is set before each
  /// request, and includes ``SandboxState/clockAdvance``.
  var now = Duration.zero
  /// The current time in seconds since 1970, for signed tokens. It is the same point in time as ``now``.
  var date = 0
  var generator: SeededGenerator
  var tokens = TokenStore()
  var provider = ProviderState()
  var jobs = JobStore()
  var counters = CounterStore()
  var shop = Bookshop()

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Returns a random text that cannot be guessed, for use as a token or code. It begins with `prefix`, such as `access`.
  mutating func secret(_ prefix: String) -> String {
    "\(prefix)-\(Hex.padded(generator.next()))\(Hex.padded(generator.next()))"
  }

  /// Returns a random UUID (RFC 9562, section 5.4).
  mutating func uuid() -> String {
    let high = generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    let text = Array(Hex.padded(high) + Hex.padded(low))
    return [text[0..<8], text[8..<12], text[12..<16], text[16..<20], text[20..<32]].map { String($0) }.joined(separator: "-")
  }
}

/// Named counters that requests increment.
struct CounterStore: Sendable {
  static let limit = 10_000
  private(set) var values: [String: Int] = [:]

  /// Increments a counter and returns its new value.
  mutating func increment(_ key: String) throws(Refusal) -> Int {
    guard values[key] != nil || values.count < Self.limit else { throw Refusal(507, "there are more than \(Self.limit) counters") }
    values[key, default: 0] += 1
    return values[key] ?? 0
  }

  mutating func remove(_ key: String) { values[key] = nil }
}
