import TestSupport
import Testing

@testable import GarlandText

@Suite struct InternetTimeTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
      (4_107_542_399, "2100-02-28T23:59:59Z"),
      (4_107_542_400, "2100-03-01T00:00:00Z"), (-62_167_219_200, "0000-01-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
      (-0.5, "1969-12-31T23:59:59Z"), (1.9, "1970-01-01T00:00:01Z"),
    ] as [(Double, String)])
  func `a time in seconds since 1970 is written as an RFC 3339 timestamp in UTC`(_ seconds: Double, _ expected: String) {
    #expect(InternetTime.text(secondsSince1970: seconds) == expected)
  }

  @Test func `a time in seconds is unchanged after it is written as RFC 3339 text and parsed`() {
    var generator = SeededRandom(seed: 5)
    for _ in 0..<5000 {
      let seconds = Double(Int64.random(in: -62_167_219_200...253_402_300_799, using: &generator))
      #expect(InternetTime(InternetTime.text(secondsSince1970: seconds))?.secondsSince1970 == seconds)
    }
  }

  @Test(
    arguments: [
      ("2026-11-21T06:00:00.25+01:00", 1_795_237_200, 250_000_000, 3_600), ("1969-12-31t23:59:59.999z", -1, 999_000_000, 0),
      ("2026-11-21 05:00:00.1234567891-00:30", 1_795_239_000, 123_456_789, -1_800),
    ] as [(String, Int64, Int, Int)])
  func `a timestamp is parsed with its fraction of a second and its offset from UTC`(
    _ text: String, _ seconds: Int64, _ nanoseconds: Int, _ offset: Int
  ) throws {
    let time = try #require(InternetTime(text))
    #expect(time.seconds == seconds)
    #expect(time.nanoseconds == nanoseconds)
    #expect(time.offset == offset)
  }

  @Test(arguments: [(1_500, "1970-01-01T00:00:01.500Z"), (-1, "1969-12-31T23:59:59.999Z"), (0, "1970-01-01T00:00:00.000Z")])
  func `a timestamp with milliseconds is written with three digits after the point`(_ milliseconds: Int64, _ expected: String) {
    #expect(InternetTime.text(milliseconds: milliseconds) == expected)
  }

  @Test(arguments: [
    "2001-02-29T00:00:00Z", "2000-13-01T00:00:00Z", "2000-00-01T00:00:00Z", "2000-01-00T00:00:00Z", "2000-01-01T00:60:00Z",
    "2000-01-01T00:00:61Z",
    "2000-01-01T00:00:00.Z", "2000-01-01T00:00:00+1:00", "2000-01-01T00:00:00Zx", "2000-01-01T00:00Z", "99-01-01T00:00:00Z",
    "２０００-01-01T00:00:00Z",
  ])
  func `the parser of RFC 3339 timestamps refuses an invalid text`(_ text: String) {
    #expect(InternetTime(text) == nil)
  }
}
