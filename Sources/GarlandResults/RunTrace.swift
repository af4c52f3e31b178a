/// The trace of a run: its identifier and those of its spans, as [W3C Trace Context](https://www.w3.org/TR/trace-context/) has them.
///
/// They follow from the run's id, so that a request can name the trace while the run goes on and a report of the run, or of its recording,
/// finds the same.
package struct RunTrace: Sendable, Hashable {
  /// 32 digits.
  package let id: String
  private let seed: UInt64

  /// - Parameter runID: `run.id` of the language.
  package init(runID: String) {
    seed = Self.hash(runID, from: 0xCBF2_9CE4_8422_2325)
    id = Self.digits(Self.mixed(seed)) + Self.digits(Self.mixed(seed ^ 0x9E37_79B9_7F4A_7C15))
  }

  /// The 16 digits of a span.
  /// - Parameter name: what the span is of, which no other span of the run has: `run`, `3/0`, `3/0/1`.
  package func span(_ name: String) -> String { Self.digits(Self.mixed(Self.hash(name, from: seed))) }

  /// The value of the field `traceparent` of a request: a span of this trace, which is recorded.
  /// - Parameter random: any number, another one for each request.
  package func parent(random: UInt64) -> String { "00-\(id)-\(Self.digits(random))-01" }

  /// The span that a field `traceparent` names; nil if it is of another trace.
  package func span(inParent field: String) -> String? {
    let parts = field.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[1] == id, parts[2].utf8.count == 16, UInt64(parts[2], radix: 16) != nil else { return nil }
    return String(parts[2])
  }

  /// FNV-1a, of which each byte changes all that follow.
  private static func hash(_ text: String, from start: UInt64) -> UInt64 {
    text.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// The last steps of SplitMix64, so that similar names have identifiers that have nothing in common.
  private static func mixed(_ value: UInt64) -> UInt64 {
    var value = value
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// 16 digits; an identifier of zeros only is none.
  private static func digits(_ value: UInt64) -> String {
    let digits = String(max(1, value), radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
