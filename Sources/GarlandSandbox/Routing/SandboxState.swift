/// The states of all tenants. Requests with different values of `X-Sandbox-Tenant` have separate
/// states.
struct SandboxState: Sendable {
  private static let tenantLimit = 1_000

  private let seed: UInt64
  private var tenants: [String: TenantState] = [:]
  /// The duration by which a test has advanced the clock that determines the expiry of tokens. It is never negative.
  private(set) var clockAdvance = Duration.zero

  init(seed: UInt64) { self.seed = seed }

  /// Calls `body` with the state of the tenant with this name (the value of `X-Sandbox-Tenant`; nil for requests without the field).
  /// Creates the state on its first use.
  mutating func withTenant<Value>(
    _ name: String?, now: Duration, date: Int, _ body: (inout TenantState) throws(Refusal) -> Value
  ) throws(Refusal) -> Value {
    let name = name ?? ""
    if tenants[name] == nil {
      guard tenants.count < Self.tenantLimit else { throw Refusal(503, "there are more than \(Self.tenantLimit) tenants") }
      tenants[name] = TenantState(seed: name.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 })
    }
    let date = date + Int(clockAdvance.components.seconds)
    return try Self.lend(&tenants[name, default: TenantState(seed: seed)], now + clockAdvance, date, body)
  }

  /// Advances the clock for the expiry of tokens, so that a test need not wait until they expire.
  mutating func advanceClock(by duration: Duration) { clockAdvance += duration }

  /// Removes the state of the tenant with this name, so that its next request starts with a new state.
  mutating func reset(_ name: String?) { tenants[name ?? ""] = nil }

  private static func lend<Value>(
    _ tenant: inout TenantState, _ now: Duration, _ date: Int, _ body: (inout TenantState) throws(Refusal) -> Value
  ) throws(Refusal) -> Value {
    tenant.now = now
    tenant.date = date
    return try body(&tenant)
  }
}
