import TestSupport
import Testing

@testable import GarlandTransfer

@Suite struct TimestampTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
      (4_107_542_399, "2100-02-28T23:59:59Z"),
      (4_107_542_400, "2100-03-01T00:00:00Z"), (-62_167_219_200, "0000-01-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
      (-0.5, "1969-12-31T23:59:59Z"), (1.9, "1970-01-01T00:00:01Z"),
    ] as [(Double, String)])
  func `a timestamp is written as RFC 3339 in UTC`(_ seconds: Double, _ expected: String) {
    #expect(Timestamp.text(secondsSince1970: seconds) == expected)
  }

  @Test func `a timestamp is unchanged after writing and parsing`() {
    var generator = SeededRandom(seed: 5)
    for _ in 0..<5000 {
      let seconds = Double(Int64.random(in: -62_167_219_200...253_402_300_799, using: &generator))
      #expect(Timestamp.parse(Timestamp.text(secondsSince1970: seconds)) == seconds)
    }
  }

  @Test(arguments: [
    "2001-02-29T00:00:00Z", "2000-13-01T00:00:00Z", "2000-00-01T00:00:00Z", "2000-01-00T00:00:00Z", "2000-01-01T00:60:00Z",
    "2000-01-01T00:00:61Z",
    "2000-01-01T00:00:00.Z", "2000-01-01T00:00:00+1:00", "2000-01-01T00:00:00Zx", "2000-01-01T00:00Z", "99-01-01T00:00:00Z",
    "２０００-01-01T00:00:00Z",
  ])
  func `an invalid timestamp is refused`(_ text: String) {
    #expect(Timestamp.parse(text) == nil)
  }
}
