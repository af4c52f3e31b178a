/// Formats quantities for people. All reports convert numbers to words here.
///
/// ```swift
/// Readable.duration(.milliseconds(1214))   // "1.21 s"
/// Readable.size(1_572_864)                 // "1.5 MiB"
/// Readable.count(100_000)                  // "100,000"
/// ```
package enum Readable {
  /// Returns a duration as text. Below a minute, the text has at most three digits, as in `0.3 ms`, `12 ms`, `1.21 s` or `12.1 s`. A longer
  /// duration is written in whole seconds or minutes, as in `2 m 03 s` or `1 h 02 m`. A negative duration becomes zero.
  package static func duration(_ duration: Duration) -> String {
    let microseconds = max(0, microseconds(duration))
    if microseconds < 99_500 { return milliseconds(microseconds) }
    // Each limit is the value at which rounding would give 1 in the next unit: 999.5 ms is "1.00 s", not "1000 ms".
    if microseconds < 999_500 { return fixed(microseconds, unit: 1_000, digits: 0) + " ms" }
    if microseconds < 9_995_000 { return fixed(microseconds, unit: 1_000_000, digits: 2) + " s" }
    if microseconds < 59_950_000 { return fixed(microseconds, unit: 1_000_000, digits: 1) + " s" }
    let seconds = (microseconds + 500_000) / 1_000_000
    if seconds < 3_600 { return "\(seconds / 60) m \(twoDigits(seconds % 60)) s" }
    let minutes = (seconds + 30) / 60
    return "\(minutes / 60) h \(twoDigits(minutes % 60)) m"
  }

  /// Formats a duration of less than a tenth of a second as text, such as `0.3 ms` or `12 ms`. Most durations are that short.
  private static func milliseconds(_ microseconds: Int) -> String {
    String(unsafeUninitializedCapacity: 6) { buffer in
      // In both cases two digits are written: either whole and tenths of milliseconds, or whole milliseconds.
      let hasTenths = microseconds < 9_950
      let number = hasTenths ? (microseconds + 50) / 100 : (microseconds + 500) / 1_000
      let last = hasTenths ? 2 : 1
      buffer[0] = UInt8(ascii: "0") + UInt8(number / 10)
      if hasTenths { buffer[1] = UInt8(ascii: ".") }
      buffer[last] = UInt8(ascii: "0") + UInt8(number % 10)
      buffer[last + 1] = UInt8(ascii: " ")
      buffer[last + 2] = UInt8(ascii: "m")
      buffer[last + 3] = UInt8(ascii: "s")
      return last + 4
    }
  }

  /// Returns a time for a display that is updated continuously, in steps of a tenth of a second, such as `0.3 s`, `12.1 s` or `2 m 03 s`.
  package static func elapsed(_ duration: Duration) -> String {
    let microseconds = max(0, microseconds(duration))
    guard microseconds < 60_000_000 else { return self.duration(.seconds(microseconds / 1_000_000)) }
    return "\(microseconds / 1_000_000).\(microseconds / 100_000 % 10) s"
  }

  /// Returns a size, such as `812 B`, `1.5 KiB`, `12.4 MiB` or `345 GiB`. A negative size becomes zero.
  package static func size(_ bytes: Int) -> String {
    guard bytes >= 1_024 else { return "\(max(0, bytes)) B" }
    var value = Double(bytes) / 1_024
    var unit = 0
    let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
    while value >= 1_023.5, unit < units.count - 1 {
      value /= 1_024
      unit += 1
    }
    let text = value < 99.95 ? fixed(Int((value * 10).rounded()), unit: 10, digits: 1) : "\(Int(value.rounded()))"
    return "\(text) \(units[unit])"
  }

  /// Returns a rate, such as `12.3 MiB/s`. The rate is zero if no time has passed.
  package static func rate(bytes: Int, in duration: Duration) -> String {
    let microseconds = microseconds(duration)
    guard microseconds > 0 else { return "0 B/s" }
    let perSecond = Double(max(0, bytes)) * 1_000_000 / Double(microseconds)
    return size(perSecond < 1e18 ? Int(perSecond) : Int.max) + "/s"
  }

  /// Returns a number with separators, such as `100,000`.
  package static func count(_ number: Int) -> String {
    var digits = Array(String(number.magnitude).utf8)
    var position = digits.count - 3
    while position > 0 {
      digits.insert(UInt8(ascii: ","), at: position)
      position -= 3
    }
    return (number < 0 ? "-" : "") + String(decoding: digits, as: UTF8.self)
  }

  /// Returns a number with a noun, such as `1 step` or `12 steps`.
  package static func count(_ number: Int, _ singular: String, plural: String? = nil) -> String {
    "\(count(number)) \(number == 1 ? singular : plural ?? singular + "s")"
  }

  /// Returns a percentage, such as `0`, `45` or `100`. It is rounded down, so that 100 means the whole.
  static func percent(_ part: Int, of whole: Int) -> Int {
    guard whole > 0 else { return 100 }
    return Int(min(100, max(0, Double(part) * 100 / Double(whole))))
  }

  /// Returns a duration in seconds with at most six decimals, as JSON and XML write numbers, such as `1.2145` or `0`.
  static func seconds(_ duration: Duration) -> String {
    var bytes: [UInt8] = []
    append(seconds: duration, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends a duration in seconds, with at most six decimals, to bytes.
  static func append(seconds duration: Duration, to bytes: inout [UInt8]) {
    let microseconds = max(0, microseconds(duration))
    append(microseconds / 1_000_000, to: &bytes)
    var rest = microseconds % 1_000_000
    guard rest > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    var place = 100_000
    while rest > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(rest / place))
      rest %= place
      place /= 10
    }
  }

  /// Appends the digits of a number that is not negative.
  static func append(_ number: Int, to bytes: inout [UInt8]) {
    var place = 1
    while number / place >= 10 { place *= 10 }
    while place > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(number / place % 10))
      place /= 10
    }
  }

  /// Returns a duration in milliseconds with at most three decimals, as JSON writes numbers, such as `38` or `0.412`.
  static func milliseconds(_ duration: Duration) -> String {
    // Milliseconds are computed as the seconds of a duration that is a thousand times as long.
    seconds(.microseconds(max(0, microseconds(duration)) * 1_000))
  }

  static func microseconds(_ duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    let (whole, overflow) = Int(seconds).multipliedReportingOverflow(by: 1_000_000)
    guard !overflow, abs(seconds) < 1 << 40 else { return seconds < 0 ? -(1 << 60) : 1 << 60 }
    return whole + Int(attoseconds / 1_000_000_000_000)
  }

  static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// Returns `value / unit` with a fixed number of decimals, rounded half up.
  private static func fixed(_ value: Int, unit: Int, digits: Int) -> String {
    var scale = 1
    for _ in 0..<digits { scale *= 10 }
    let scaled = (value * scale + unit / 2) / unit
    guard digits > 0 else { return "\(scaled)" }
    let fraction = String(scaled % scale + scale).dropFirst()
    return "\(scaled / scale).\(fraction)"
  }
}
