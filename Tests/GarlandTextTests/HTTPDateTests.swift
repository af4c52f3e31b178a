import Testing

@testable import GarlandText

@Suite struct HTTPDateTests {
  /// The example of RFC 9110, section 5.6.7, in seconds since 1970.
  private static let then: Int64 = 784_111_777

  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", then), ("Sunday, 06-Nov-94 08:49:37 GMT", then), ("Sun Nov  6 08:49:37 1994", then),
      ("sun, 06 nov 1994 08:49:37 gmt", then), ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
      ("0", nil), ("-1", nil), ("", nil), ("now", nil), ("Sun, 06 Nov 1994 08:49:37 PST", nil), ("Sun, 06 Nov 1994 08:49:37", nil),
      ("Sun, 06 Nov 1994 08:49:37 +0000", nil), ("Sun, 31 Nov 1994 08:49:37 GMT", nil), ("Wed, 29 Feb 2001 12:00:00 GMT", nil),
      ("Sun, 06 Nov 1994 24:00:00 GMT", nil), ("Sun, 06 Nov 1994 8:49:37 GMT", nil), ("Sun, 06 Nov 94 08:49:37 GMT", nil),
      ("Son, 06 Nov 1994 08:49:37 GMT", nil),
    ] as [(String, Int64?)])
  func `an HTTP date is read in each of its three formats`(_ text: String, _ expected: Int64?) {
    #expect(HTTPDate.parse(text, now: Self.then) == expected)
  }

  /// RFC 9110, section 5.6.7: a year more than 50 years ahead belongs to the previous century.
  @Test func `a two-digit year that would be more than 50 years in the future is read as a year of the previous century`() {
    #expect(HTTPDate.parse("Friday, 31-Dec-99 23:59:59 GMT", now: 1_700_000_000) == 946_684_799)
    #expect(HTTPDate.parse("Friday, 06-Nov-43 08:49:37 GMT", now: 1_700_000_000) == 2_330_412_577)
  }

  @Test(
    arguments: [
      (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
      (951_827_696, "Tue, 29 Feb 2000 12:34:56 GMT"),
    ] as [(Int64, String)])
  func `an HTTP date is written in the preferred format of RFC 9110`(_ seconds: Int64, _ expected: String) {
    #expect(HTTPDate.text(seconds) == expected)
  }

  @Test func `an HTTP date is unchanged after writing and parsing`() {
    for seconds in stride(from: -3_000_000_000, through: 9_000_000_000, by: 86_400 * 13 + 12_345) as StrideThrough<Int64> {
      #expect(HTTPDate.parse(HTTPDate.text(seconds), now: 0) == seconds)
    }
  }
}
