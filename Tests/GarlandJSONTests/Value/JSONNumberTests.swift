import GarlandJSON
import Testing

@Suite("Numbers")
struct JSONNumberTests {
  @Test(
    "a text in the number grammar of RFC 8259 is a number and keeps its digits",
    arguments: ["0", "-0", "1", "-1", "10", "1.0", "1.50", "1e0", "1E+5", "1e-5", "-1.25e+10", "12345678901234567890.1", "1e999999999"])
  func accepted(text: String) throws {
    #expect(try #require(JSONNumber(text)).text == text)
  }

  @Test(
    "a text outside the number grammar of RFC 8259 is not a number",
    arguments: ["", "-", "+1", "01", "-01", "1.", ".5", "1.e1", "1e", "1e+", "0x10", "1_000", " 1", "1 ", "NaN", "Infinity", "١", "1.5.5"])
  func refused(text: String) {
    #expect(JSONNumber(text) == nil)
  }

  @Test(
    "numbers with the same value are equal and have the same hash",
    arguments: [
      ("1", "1.0"), ("1", "1e0"), ("100", "1e2"), ("0", "-0"), ("0", "0.000e99"), ("1e-2", "0.01"), ("-1.50", "-15e-1"),
      ("123456789012345678901234567890", "1.2345678901234567890123456789e29"), ("1e1000", "10e999"),
      ("9223372036854775807", "9223372036854775807.0"), ("-9223372036854775808", "-9.223372036854775808e18"),
      ("1e99999999999999999999", "10e99999999999999999998"), ("0.001e-99999999999999999999", "1e-100000000000000000002"),
      ("1e9223372036854775808", "0.1e9223372036854775809"), ("10e-9223372036854775809", "1e-9223372036854775808"),
      ("0e99999999999999999999", "0"), ("1e0000000000000000000000000000002", "100"), ("-10e-0000000000000000000000000000001", "-1"),
    ])
  func equal(left: String, right: String) throws {
    let (left, right) = (try #require(JSONNumber(left)), try #require(JSONNumber(right)))
    #expect(left == right)
    #expect(left.hashValue == right.hashValue)
    #expect(!(left < right) && !(right < left))
  }

  @Test(
    "numbers are ordered exactly by their values",
    arguments: [
      ("1", "2"), ("-2", "-1"), ("-1", "0"), ("0", "1e-999999999"), ("12345678901234567890.1", "12345678901234567890.2"),
      ("9.99", "10"), ("1e999999998", "1e999999999"), ("-1e10", "-1e9"), ("0.1", "0.11"), ("9007199254740992", "9007199254740993"),
      ("-1", "0.5"), ("1e99999999999999999998", "1e99999999999999999999"), ("-1e99999999999999999999", "-1e99999999999999999998"),
      ("1e-99999999999999999999", "1e-99999999999999999998"), ("9e9223372036854775807", "1e9223372036854775808"),
      ("1e-9223372036854775809", "1e-9223372036854775808"), ("1e-99999999999999999999", "1e99999999999999999999"),
      ("1e9", "1e99999999999999999999"), ("1e-99999999999999999999", "1e-9"), ("1e72057594037927937", "1e72057594037927938"),
    ])
  func ordered(smaller: String, larger: String) throws {
    let (smaller, larger) = (try #require(JSONNumber(smaller)), try #require(JSONNumber(larger)))
    #expect(smaller < larger)
    #expect(!(larger < smaller))
    #expect(smaller != larger)
  }

  @Test("a number in any notation converts to an integer if its value fits exactly")
  func integers() {
    #expect(JSONNumber("1e2")?.intValue == 100)
    #expect(JSONNumber("12.50e1")?.intValue == 125)
    #expect(JSONNumber("1.5")?.intValue == nil)
    #expect(JSONNumber("9223372036854775807")?.intValue == .max)
    #expect(JSONNumber("-9223372036854775808")?.intValue == .min)
    #expect(JSONNumber("9223372036854775808")?.intValue == nil)
    #expect(JSONNumber("1e999999999")?.intValue == nil)
    #expect(JSONNumber("1e999999999")?.isIntegral == true)
    #expect(JSONNumber("1e-999999999")?.isIntegral == false)
    #expect(JSONNumber(UInt64.max).text == "18446744073709551615")
  }

  @Test("a Double becomes a number with the shortest digits, and infinity and NaN become none")
  func doubles() {
    let tenth = 0.1
    #expect(JSONNumber(tenth)?.text == "0.1")
    #expect(JSONNumber(Double.infinity) == nil)
    #expect(JSONNumber(Double.nan) == nil)
    #expect(JSONNumber("1e400")?.doubleValue == .infinity)
    #expect(JSONNumber("1.7976931348623157e308")?.doubleValue == .greatestFiniteMagnitude)
  }

  @Test func `JSON numbers that differ only in a very large exponent are not equal`() throws {
    let texts = [
      "1e99999999999999999999", "1e99999999999999999998", "1e-99999999999999999999", "1e72057594037927936", "1e72057594037927937",
    ]
    #expect(Set(try texts.map { try #require(JSONNumber($0)) }).count == texts.count)
  }

  @Test(arguments: [
    ("1e99999999999999999999", "1e99999999999999999998", true), ("1e99999999999999999998", "1e99999999999999999999", false),
    ("1e99999999999999999999", "7", false), ("7e99999999999999999999", "7", true),
    ("1e99999999999999999999", "8e-99999999999999999999", true),
    ("3e99999999999999999999", "1.5e99999999999999999999", true), ("4e99999999999999999999", "1.5e99999999999999999999", false),
    ("1e-99999999999999999999", "1e-99999999999999999998", false), ("0", "1e99999999999999999999", true),
  ])
  func `the check whether a number is a multiple of another is exact, even with exponents of twenty digits`(
    number: String, divisor: String, isMultiple: Bool
  )
    throws
  {
    #expect(try #require(JSONNumber(number)).isMultiple(of: try #require(JSONNumber(divisor))) == isMultiple)
  }

  @Test func `arithmetic with numbers whose exponents have twenty digits is exact`() throws {
    let large = try #require(JSONNumber("2e99999999999999999999"))
    #expect(try large.adding(large) == JSONNumber("4e99999999999999999999"))
    #expect(try large.multiplied(by: large) == JSONNumber("4e199999999999999999998"))
    #expect(try large.divided(by: large) == 1)
    #expect(try large.divided(by: 8) == JSONNumber("0.25e99999999999999999999"))
    #expect(try large.subtracting(large) == 0)
    #expect(large.negated < large)
    #expect(large.isIntegral && large.intValue == nil)
    #expect(throws: JSONArithmeticError.outOfRange) { try large.adding(1) }
    #expect(try large.divided(by: 3).text == "6.666666666666666666666666666666667e99999999999999999998")
    #expect(try large.multiplied(by: #require(JSONNumber("1e-99999999999999999999"))).intValue == 2)
    #expect(try large.multiplied(by: 5).text == "1e100000000000000000000")
  }
}
