import GarlandJSON
import Testing

@testable import GarlandWorkflow

/// Tests of times in the formats that servers use.
@Suite struct TimestampTests {
  static let noon = 1_769_860_800

  @Test(arguments: [
    "2026-01-31T12:00:00Z", "2026-01-31t14:00:00+02:00", "2026-01-31 12:00:00.000000Z", "Sat, 31 Jan 2026 12:00:00 GMT",
    "Sat, 31 Jan 2026 07:00:00 EST", "31 Jan 2026 12:00 UT", "Sat, 31 Jan 2026 13:00:00 +0100 (CET)", "Saturday, 31-Jan-26 12:00:00 GMT",
    "Sat, 31-Jan-2026 12:00:00 GMT", "Sat Jan 31 12:00:00 2026", "1769860800", "1769860800000", "1769860800.0",
  ]) func `a time in a common format such as RFC 3339 is parsed`(_ text: String) {
    #expect(Timestamp(reading: .string(text))?.nanoseconds == Self.noon * 1_000_000_000)
  }

  @Test(arguments: [
    "", "noon", "20260131", "2026-02-31", "2026-01-31T25:00:00Z", "Sun, 31 Jan 2026 12:00:00 GMT", "Sat, 31 Jan 2026",
    "31 Foo 2026 12:00 UT",
    "31.01.2026", "1e99", "-", "Sat, 31 Jan 2026 12:00:00 GMT x", "123",
  ]) func `a text that is not a valid time is not read as a timestamp`(_ text: String) { #expect(Timestamp(reading: .string(text)) == nil) }

  @Test(arguments: [("0", 0), ("1.5", 1_500_000_000), ("-1", -1_000_000_000), ("100000000000", 100_000_000 * 1_000_000_000)])
  func `a number is parsed as a Unix time in seconds or, from 100000000000 on, in milliseconds`(_ number: String, _ nanoseconds: Int) throws
  {
    #expect(Timestamp(reading: .number(try #require(JSONNumber(number))))?.nanoseconds == nanoseconds)
  }

  @Test(arguments: [
    ("%d.%m.%Y", "31.01.2026", "2026-01-31T00:00:00Z"), ("%Y-%m-%d %I:%M:%S %p", "2026-01-31 12:05:00 am", "2026-01-31T00:05:00Z"),
    ("%A, %e %B %Y", "Saturday,  1 AUGUST 2026", "2026-08-01T00:00:00Z"),
    ("%FT%T.%L%z", "2026-01-31T12:00:00.25-0330", "2026-01-31T12:00:00.250-03:30"),
    ("%y%m%d", "690101", "1969-01-01T00:00:00Z"), ("%s", "1769860800", "2026-01-31T12:00:00Z"),
    ("unix_ms", "1769860800000", "2026-01-31T12:00:00Z"),
    ("100%% %Y", "100% 2026", "2026-01-01T00:00:00Z"),
  ]) func `a time is parsed with the format that the caller gives`(_ format: String, _ text: String, _ iso: String) {
    #expect(Timestamp.isReadable(format))
    #expect(Timestamp(reading: .string(text), format: format)?.iso == iso)
  }

  @Test(arguments: [
    ("%d.%m.%Y", "31.02.2026"), ("%d.%m.%Y", "31.01.2026 12:00"), ("%d.%m.%Y", "1.13.2026"), ("%a %F", "Mon 2026-01-31"),
    ("%I %p %Y", "13 pm 2026"),
    ("http", "2026-01-31T12:00:00Z"), ("iso", "Sat, 31 Jan 2026 12:00:00 GMT"), ("unix", "now"),
  ])
  func `if a text is not a valid time in the format that the caller gives, the text is not parsed`(_ format: String, _ text: String) {
    #expect(Timestamp(reading: .string(text), format: format) == nil)
  }

  @Test(arguments: ["%H:%M", "%Q %Y", "", "yesterday", "%"])
  func `a time format without a year, or with an unknown directive, can't be used for parsing`(
    _ format: String
  ) {
    #expect(!Timestamp.isReadable(format))
  }

  @Test func `a time is unchanged after it is written in a format and read back`() {
    let time = Timestamp(nanoseconds: Self.noon * 1_000_000_000 + 250_000_000, offset: 7200)
    for format in ["%Y-%m-%dT%H:%M:%S.%L%z", "%a %d %b %Y %I:%M:%S.%f %p %z", "%A %e %B %Y %T.%L %z"] {
      #expect(time.format(format).flatMap { Timestamp(reading: .string($0), format: format) } == time, "\(format)")
    }
  }
}
