import GarlandText

/// Computes the identifiers of a run's trace and of its spans, as [W3C Trace Context](https://www.w3.org/TR/trace-context/) defines them.
///
/// The identifiers are computed from the run's id. Therefore the requests of the run and all reports about it contain the same identifiers.
package struct RunTrace: Sendable, Hashable {
  /// The identifier of the trace, which has 32 hexadecimal digits.
  package let id: String
  private let seed: UInt64

  /// Creates the trace of a run.
  ///
  /// - Parameter runID: the value of `run.id` in expressions, which is different for each run.
  package init(runID: String) {
    seed = Self.hash(runID, from: 0xCBF2_9CE4_8422_2325)
    id = Self.digits(SeededGenerator.mixed(seed)) + Self.digits(SeededGenerator.mixed(seed ^ 0x9E37_79B9_7F4A_7C15))
  }

  /// Returns the identifier of a span, which has 16 hexadecimal digits.
  ///
  /// - Parameter name: the name of the span, unique in the run, such as `run`, `3/0` or `3/0/1`.
  package func span(_ name: String) -> String { Self.digits(SeededGenerator.mixed(Self.hash(name, from: seed))) }

  /// Returns a value for the header field `traceparent` of a request. It contains the identifier of this trace, a new span identifier, and
  /// a flag that asks the server to record the span.
  ///
  /// - Parameter random: A random number, different for each request, that becomes the span identifier.
  package func parent(random: UInt64) -> String { "00-\(id)-\(Self.digits(random))-01" }

  /// Returns the span identifier in a `traceparent` header field. Returns nil if the field is invalid or contains the identifier of a
  /// different trace.
  package func span(inParent field: String) -> String? {
    let parts = field.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[1] == id, parts[2].utf8.count == 16, UInt64(parts[2], radix: 16) != nil else { return nil }
    return String(parts[2])
  }

  /// Returns the FNV-1a hash of `text`, continued from the hash `start`.
  private static func hash(_ text: String, from start: UInt64) -> UInt64 {
    text.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// Returns a number as 16 hexadecimal digits. The digits are never all zeros, which would be an invalid identifier.
  private static func digits(_ value: UInt64) -> String { Hex.padded(max(1, value)) }
}
