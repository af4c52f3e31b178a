/// Named counters.
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
