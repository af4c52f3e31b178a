import GarlandText
import Glibc

/// The system's clocks and randomness, which runs use by default.
enum SystemSources {
  static let now: @Sendable () -> Double = {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  static let random: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }

  static let clock: @Sendable () -> Duration = {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .nanoseconds(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// Returns a random identifier of twelve hexadecimal digits for a run. The identifier is short enough to be read, and long enough that
  /// two runs practically never have the same identifier.
  static func runID() -> String { Hex.padded(random() >> 16, to: 12) }
}

extension Duration {
  /// The duration as a number of seconds.
  var seconds: Double {
    let (seconds, attoseconds) = components
    // One division of whole nanoseconds, so that the result has no more digits than were measured.
    guard abs(seconds) < 1_000_000 else { return Double(seconds) + Double(attoseconds) * 1e-18 }
    return Double(seconds * 1_000_000_000 + attoseconds / 1_000_000_000) / 1e9
  }

  /// The duration in words: `250 ms`, `10 s`, `1.5 s`, `5 min`, `1 h`.
  var inWords: String {
    let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    if milliseconds < 1000 { return "\(milliseconds) ms" }
    if milliseconds >= 3_600_000, milliseconds.isMultiple(of: 3_600_000) { return "\(milliseconds / 3_600_000) h" }
    if milliseconds >= 60_000, milliseconds.isMultiple(of: 60_000) { return "\(milliseconds / 60_000) min" }
    if milliseconds.isMultiple(of: 1000) { return "\(milliseconds / 1000) s" }
    return "\(milliseconds / 1000).\(milliseconds % 1000 / 100) s"
  }
}
