import Testing

@testable import GarlandReports

@Suite struct ReadableTests {
  @Test(arguments: [
    (-5, "0.0 ms"), (0, "0.0 ms"), (340, "0.3 ms"), (3_149, "3.1 ms"), (9_949, "9.9 ms"), (9_950, "10 ms"), (12_400, "12 ms"),
    (999_499, "999 ms"), (999_500, "1.00 s"), (1_214_000, "1.21 s"), (9_994_999, "9.99 s"), (9_995_000, "10.0 s"),
    (59_949_999, "59.9 s"), (59_950_000, "1 m 00 s"), (123_000_000, "2 m 03 s"), (3_599_400_000, "59 m 59 s"),
    (3_599_500_000, "1 h 00 m"), (7_384_000_000, "2 h 03 m"), (400_000_000_000, "111 h 07 m"),
  ])
  func `a duration is shown in ms, in s, in minutes and seconds, or in hours and minutes, depending on its length`(
    microseconds: Int, text: String
  ) {
    #expect(Readable.duration(.microseconds(microseconds)) == text)
  }

  @Test func `a duration of Int64.max or Int64.min seconds is shown without an overflow`() {
    #expect(Readable.duration(.seconds(Int64.max)).hasSuffix(" m"))
    #expect(Readable.duration(.seconds(Int64.min)) == "0.0 ms")
    #expect(Readable.seconds(.seconds(Int64.max)) != "")
  }

  @Test(arguments: [
    (-1, "0 B"), (0, "0 B"), (1_023, "1023 B"), (1_024, "1.0 KiB"), (1_572_864, "1.5 MiB"), (102_348, "99.9 KiB"), (102_400, "100 KiB"),
    (1_048_575, "1.0 MiB"), (Int.max, "8.0 EiB"),
  ])
  func `a size in bytes is shown in the largest unit (B, KiB, MiB, …) whose rounded number is at least 1`(bytes: Int, text: String) {
    #expect(Readable.size(bytes) == text)
  }

  @Test func `a transfer rate is shown in the largest unit in which the rate is at least 1`() {
    #expect(Readable.rate(bytes: 3 << 20, in: .milliseconds(1_500)) == "2.0 MiB/s")
    #expect(Readable.rate(bytes: 5, in: .zero) == "0 B/s")
    #expect(Readable.rate(bytes: Int.max, in: .microseconds(1)) == "8.0 EiB/s")
  }

  @Test(arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (100_000, "100,000"), (-1_234_567, "-1,234,567")])
  func `in reports, a count has a comma between each two groups of three digits`(number: Int, text: String) {
    #expect(Readable.count(number) == text)
  }

  @Test(arguments: [(0, "0"), (1, "0.000001"), (12_000, "0.012"), (1_214_500, "1.2145"), (60_000_000, "60")])
  func `a duration is written as decimal seconds without trailing zeros`(microseconds: Int, text: String) {
    #expect(Readable.seconds(.microseconds(microseconds)) == text)
  }

  @Test(arguments: [
    (0.0, "1970-01-01T00:00:00.000Z"), (951_782_400, "2000-02-29T00:00:00.000Z"), (1_795_222_800.25, "2026-11-21T01:00:00.250Z"),
    (4_107_542_399, "2100-02-28T23:59:59.000Z"), (4_107_542_400, "2100-03-01T00:00:00.000Z"), (-1, "1970-01-01T00:00:00.000Z"),
    (.infinity, "1970-01-01T00:00:00.000Z"),
  ])
  func `a date in a report is written as an RFC 3339 timestamp in UTC with milliseconds`(seconds: Double, text: String) {
    #expect(TimeText.rfc3339(seconds) == text)
  }
}
