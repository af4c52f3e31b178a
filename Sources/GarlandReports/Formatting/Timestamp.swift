import GarlandJSON

/// Formats points in time in UTC as in [RFC 3339](https://www.rfc-editor.org/rfc/rfc3339).
enum Timestamp {
  /// Returns a timestamp such as `2026-11-21T01:06:24.123Z`.
  static func rfc3339(_ secondsSince1970: Double) -> String { rfc3339(milliseconds: milliseconds(secondsSince1970)) }

  /// Returns a timestamp for milliseconds since 1970, in the format of RFC 3339.
  static func rfc3339(milliseconds: Int) -> String {
    let fraction = String(milliseconds % 1_000 + 1_000).dropFirst()
    return "\(civil(milliseconds / 1_000)).\(fraction)Z"
  }

  /// Returns a timestamp such as `2026-11-21 01:06:24 UTC`.
  static func readable(_ secondsSince1970: Double) -> String {
    let text = civil(milliseconds(secondsSince1970) / 1_000)
    return text.replacing("T", with: " ") + " UTC"
  }

  /// Returns a timestamp such as `2026-11-21T01:06:24`. JUnit's schema has no time zone, and its readers assume UTC.
  static func withoutZone(_ secondsSince1970: Double) -> String {
    civil(milliseconds(secondsSince1970) / 1_000)
  }

  static func milliseconds(_ seconds: Double) -> Int {
    guard seconds.isFinite else { return 0 }
    return Int((min(max(0, seconds), 253_402_300_799) * 1_000).rounded(.down))
  }

  private static func civil(_ seconds: Int) -> String {
    let (year, month, day) = CivilDate.date(Int64(seconds / 86_400))
    let time = [seconds % 86_400 / 3_600, seconds % 3_600 / 60, seconds % 60].map(Readable.twoDigits).joined(separator: ":")
    let paddedYear = String(year + 10_000).dropFirst()
    return "\(paddedYear)-\(Readable.twoDigits(month))-\(Readable.twoDigits(day))T\(time)"
  }
}

extension Timestamp {
  /// Returns the seconds since 1970 for a text that ``rfc3339(_:)`` can return, or nil for any other text.
  static func seconds(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"), bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":")
    else { return nil }
    func number(_ range: Range<Int>) -> Int? { Int(String(decoding: bytes[range], as: UTF8.self)) }
    guard let year = number(0..<4), let month = number(5..<7), (1...12).contains(month), let day = number(8..<10), (1...31).contains(day),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19), year >= 1970
    else { return nil }
    let days = Int(CivilDate.days(year: year, month: month, day: day))
    let fraction =
      bytes.count > 20 && bytes[19] == UInt8(ascii: ".")
      ? Double("0." + String(decoding: bytes[20..<(bytes.count - 1)], as: UTF8.self)) ?? 0 : 0
    return Double(days * 86_400 + hour * 3_600 + minute * 60 + second) + fraction
  }
}
