import GarlandDiagnostics
import GarlandJSON
import Testing

@testable import GarlandWorkflow

/// Tests of time zones by name.
@Suite struct TimeZoneTests {
  private static func seconds(_ text: String) throws -> Int { try #require(Timestamp(text)).seconds }

  @Test(arguments: [
    ("Europe/Berlin", "2026-01-01T00:00:00Z", 3_600, "CET"), ("Europe/Berlin", "2026-03-29T00:59:59Z", 3_600, "CET"),
    ("Europe/Berlin", "2026-03-29T01:00:00Z", 7_200, "CEST"), ("Europe/Berlin", "2026-10-25T01:00:00Z", 3_600, "CET"),
    ("Europe/Berlin", "2190-07-01T00:00:00Z", 7_200, "CEST"),
    ("Australia/Sydney", "2026-01-01T00:00:00Z", 39_600, "AEDT"), ("Australia/Sydney", "2100-07-01T00:00:00Z", 36_000, "AEST"),
    ("America/Sao_Paulo", "2026-01-01T00:00:00Z", -10_800, "-03"), ("UTC", "2026-01-01T00:00:00Z", 0, "UTC"),
    ("Asia/Kolkata", "2026-01-01T00:00:00Z", 19_800, "IST"),
  ]) func `a time zone returns its offset from UTC at a given time`(_ zone: String, _ time: String, _ offset: Int, _ name: String)
    throws
  {
    let period = try ZoneDatabase.system.rules(of: zone).period(at: Self.seconds(time))
    #expect(period == ZoneRules.Period(offset: offset, abbreviation: name))
  }

  @Test func `a local time that a clock change skips or repeats has the offset before the change`() throws {
    let berlin = try ZoneDatabase.system.rules(of: "Europe/Berlin")
    #expect(try berlin.offset(ofLocal: Self.seconds("2026-10-25T02:30:00Z")) == 7_200)
    #expect(try berlin.offset(ofLocal: Self.seconds("2026-03-29T02:30:00Z")) == 3_600)
    #expect(try berlin.offset(ofLocal: Self.seconds("2026-03-29T03:30:00Z")) == 7_200)
  }

  @Test(arguments: [
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T01:00:00Z", 7_200), ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T01:00:00Z", 3_600),
    ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2026-12-31T23:00:00Z", 46_800), ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2026-06-30T23:00:00Z", 43_200),
    ("<-03>3", "2026-01-01T00:00:00Z", -10_800), ("XXX4YYY,J60/0,J61/0", "2024-03-01T04:00:00Z", -10_800),
    ("XXX4YYY,59/0,60/0", "2024-02-29T04:00:00Z", -10_800), ("XXX4YYY,J60/0,J61/0", "2024-02-29T04:00:00Z", -14_400),
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T00:59:59Z", -7_200),
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T01:00:00Z", -3_600),
    ("EST5EDT4:30,M3.2.0,M11.1.0", "2026-07-01T00:00:00Z", -16_200),
  ]) func `a POSIX time zone rule gives the offset from UTC at any time`(_ rule: String, _ time: String, _ offset: Int)
    throws
  {
    let rule = try #require(ZoneRule(rule))
    #expect(try rule.period(at: Self.seconds(time)).offset == offset)
  }

  @Test(arguments: [
    "", "CET", "C-1", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1 ", "<+03-3", "CET-200",
    "CET-1CEST,M3.5.0,M10.5.0,",
  ])
  func `the parser of POSIX time zone rules refuses an invalid rule, such as 'CET'`(_ rule: String) { #expect(ZoneRule(rule) == nil) }

  @Test func `a time zone file that is cut off at any byte is refused`() throws {
    let bytes = try SystemFiles().read("/usr/share/zoneinfo/Europe/Berlin", limit: 1 << 20)
    #expect(ZoneRules(tzif: bytes) != nil)
    for count in 0..<bytes.count { #expect(ZoneRules(tzif: Array(bytes[..<count])) == nil, "\(count)") }
  }

  @Test(arguments: [
    ("europe/berlin", "Europe/Berlin"), ("Berlin", "Europe/Berlin"), ("Europe/Berln", "Europe/Berlin"), ("utc", "UTC"),
    ("new york", "America/New_York"),
  ]) func `for a mistyped time zone, the correct name is suggested`(_ wrong: String, _ right: String) throws {
    let error = #expect(throws: ZoneDatabase.Mistake.self) { try ZoneDatabase.system.rules(of: wrong) }
    #expect(error?.near == right)
  }

  @Test func `the error for a missing time zone database names the package to install`() throws {
    let error = #expect(throws: ZoneDatabase.Mistake.self) { try ZoneDatabase(folder: "/nowhere").rules(of: "UTC") }
    #expect(error?.message == "there are no time zones at /nowhere" && error?.help?.contains("`tzdata`") == true)
  }

  @Test func `applying the fix for a mistyped time zone gives a valid document`() throws {
    let document = { (zone: String) in "garland: 1\nsteps: { a: { get: http://h/, query: { q: \"${now() | date('iso', '\(zone)')}\" } } }" }
    let diagnostic = try #require(Decode.document(document("europe/berlin")).diagnostics.all.first)
    let fix = try #require(diagnostic.helps.first?.fix)
    #expect(fix.replacement == "'Europe/Berlin'")
    #expect(Decode.document(document("Europe/Berlin")).diagnostics.all.isEmpty)
  }
}
