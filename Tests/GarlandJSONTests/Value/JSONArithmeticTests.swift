import GarlandJSON
import TestSupport
import Testing

@Suite("Arithmetic")
struct JSONArithmeticTests {
  private func number(_ text: String) throws -> JSONNumber {
    try #require(JSONNumber(text))
  }

  @Test(
    "sums, differences and products are exact",
    arguments: [
      ("1", "2", "3", "-1", "2"), ("0.1", "0.2", "0.3", "-0.1", "0.02"), ("9.50", "1", "10.5", "8.5", "9.5"),
      ("-1.5", "1.5", "0", "-3", "-2.25"),
      ("9223372036854775807", "1", "9223372036854775808", "9223372036854775806", "9223372036854775807"),
      ("-9223372036854775808", "1", "-9223372036854775807", "-9223372036854775809", "-9223372036854775808"),
      (
        "12345678901234567890.123456789", "0.000000001", "12345678901234567890.12345679", "12345678901234567890.123456788",
        "12345678901.234567890123456789"
      ),
      ("1e20", "1", "100000000000000000001", "99999999999999999999", "100000000000000000000"),
      ("999999999", "999999999", "1999999998", "0", "999999998000000001"),
      ("1e100", "1e100", "2e100", "0", "1e200"), ("0", "-0", "0", "0", "0"),
      ("1000000000000000000000", "-1", "999999999999999999999", "1000000000000000000001", "-1000000000000000000000"),
    ])
  func exact(left: String, right: String, sum: String, difference: String, product: String) throws {
    let (a, b) = (try number(left), try number(right))
    #expect(try a.adding(b).text == sum)
    #expect(try a.subtracting(b).text == difference)
    #expect(try a.multiplied(by: b).text == product)
    #expect(a.negated.negated == a)
  }

  @Test(
    "a quotient is exact if its digits end, and is rounded to 34 digits otherwise",
    arguments: [
      ("1", "8", "0.125"), ("6", "3", "2"), ("1", "3", "0.3333333333333333333333333333333333"),
      ("2", "3", "0.6666666666666666666666666666666667"), ("10", "4", "2.5"),
      ("-7", "2", "-3.5"), ("0", "5", "0"),
      ("1e400", "1e399", "10"), ("19.99", "0.01", "1999"), ("1", "1e30", "1e-30"), ("100", "7", "14.28571428571428571428571428571429"),
      ("1", "-3e-9", "-333333333.3333333333333333333333333"),
      ("9999999999999999999999999999999999999", "10", "999999999999999999999999999999999999.9"),
      ("9223372036854775808", "-1", "-9223372036854775808"),
      ("-9223372036854775808", "-1", "9223372036854775808"),
    ])
  func quotients(dividend: String, divisor: String, quotient: String) throws {
    #expect(try number(dividend).divided(by: number(divisor)).text == quotient)
  }

  @Test("a result that would need too many digits is an error")
  func limits() throws {
    let huge = try number("1e999999999")
    #expect(throws: JSONArithmeticError.outOfRange) { try huge.adding(1) }
    #expect(throws: JSONArithmeticError.outOfRange) { try huge.subtracting(1) }
    #expect(try huge.multiplied(by: huge) == number("1e1999999998"))
    #expect(throws: JSONArithmeticError.divisionByZero) { try number("1").divided(by: number("0.0")) }
    #expect(try huge.divided(by: 3).text == "3.333333333333333333333333333333333e999999998")
    let long = try number(String(repeating: "7", count: 5000))
    #expect(throws: JSONArithmeticError.outOfRange) { try long.multiplied(by: long) }
    #expect(throws: JSONArithmeticError.outOfRange) { try long.divided(by: 3) }
  }

  @Test(
    "the test whether a number is a multiple is exact",
    arguments: [
      ("19.99", "0.01", true), ("0.3", "0.1", true), ("1", "0.3", false), ("4.5", "1.5", true), ("35", "1.5", false),
      ("0.0075", "0.0001", true), ("0.00751", "0.0001", false), ("0", "7", true),
      ("1e308", "0.123456789", false), ("1e999999999", "2", true), ("1e999999999", "3", false), ("3e999999999", "3", true),
      ("1e999999999", "125e-3", true), ("1", "1e999999999", false), ("12391239123", "1e-8", true),
      ("1e400", "1000000000000000000001", false), ("2000000000000000000002", "1000000000000000000001", true), ("7", "0", false),
    ])
  func multiples(value: String, divisor: String, isMultiple: Bool) throws {
    #expect(try number(value).isMultiple(of: number(divisor)) == isMultiple)
  }

  @Test("the laws of arithmetic hold for random decimals", arguments: 0..<200 as Range<UInt64>)
  func laws(seed: UInt64) throws {
    var generator = SeededRandom(seed: seed)
    func random() throws -> JSONNumber {
      let digits = (0..<Int.random(in: 1...30, using: &generator)).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
      let trimmed = String(digits.drop { $0 == "0" })
      let sign = Bool.random(using: &generator) ? "-" : ""
      return try number("\(sign)\(trimmed.isEmpty ? "0" : trimmed)e\(Int.random(in: -30...30, using: &generator))")
    }
    let (a, b, c) = (try random(), try random(), try random())
    #expect(try a.adding(b) == b.adding(a))
    #expect(try a.adding(b).subtracting(b) == a)
    #expect(try a.multiplied(by: b.adding(c)) == a.multiplied(by: b).adding(a.multiplied(by: c)))
    let product = try a.multiplied(by: b)
    if b != 0 {
      #expect(try product.divided(by: b).doubleValue == a.doubleValue)
      #expect(product.isMultiple(of: b) == a.isIntegral)
    }
    #expect((a < b) == (try a.subtracting(b).isNegative))
  }
}
