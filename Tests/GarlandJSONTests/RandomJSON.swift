import GarlandJSON
import TestSupport

/// Creates random values with features that are likely to confuse a parser: escapes, astral characters, repeated shapes, long and short
/// numbers.
struct RandomJSON {
  var generator: SeededRandom

  init(seed: UInt64) {
    generator = SeededRandom(seed: seed)
  }

  mutating func value(depth: Int = 4) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &generator) {
    case 0: return .null
    case 1: return .bool(.random(using: &generator))
    case 2, 3: return .number(number())
    case 4, 5: return .string(string())
    case 6: return .array((0..<Int.random(in: 0...4, using: &generator)).map { _ in value(depth: depth - 1) })
    default:
      let count = Int.random(in: 0...6, using: &generator) * (Int.random(in: 0..<20, using: &generator) == 0 ? 5 : 1)
      return .object(JSONObject((0..<count).map { _ in (string(), value(depth: depth - 1)) }))
    }
  }

  mutating func number() -> JSONNumber {
    let samples = [
      "0", "-0", "1", "-17", "2.50", "1e3", "1E-7", "12345678901234567890.123456789", "999999999999999999", "-9223372036854775808",
    ]
    let integer = JSONNumber(Int.random(in: -1000...1000, using: &generator))
    return Bool.random(using: &generator) ? integer : samples.randomElement(using: &generator).flatMap { JSONNumber($0) } ?? integer
  }

  mutating func string() -> String {
    let pieces = [
      "a", "b", "key", "", " ", "\"", "\\", "/", "\n", "\u{1}", "\u{7F}", "é", "e\u{301}", "日本", "😀", "\u{2028}", "'",
      "long enough for the heap",
    ]
    return (0..<Int.random(in: 0...3, using: &generator)).compactMap { _ in pieces.randomElement(using: &generator) }.joined()
  }
}
