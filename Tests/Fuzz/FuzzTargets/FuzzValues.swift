import GarlandJSON
import GarlandText

/// Random JSON values with what is likely to trip a calculation.
enum FuzzValues {
  static let numbers = [
    "0", "-0", "1", "-17", "2.50", "1e3", "1E-7", "12345678901234567890.123456789", "999999999999999999", "-9223372036854775808", "1e400",
    "9223372036854775807", "0.1", "1e-999",
  ]
  static let texts = [
    "", "a", "key", "id", "alice", "1", "true", " x ", "é", "e\u{301}", "😀", "\u{0}", "2024-02-29T12:00:00Z", "2026-11-21", "aGVsbG8=",
    "%41", "[1]", "a,b,c",
  ]

  static func value(depth: Int, _ random: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 5), using: &random) {
    case 0: return .null
    case 1: return .bool(.random(using: &random))
    case 2: return numbers.randomElement(using: &random).flatMap { JSONNumber($0) }.map { .number($0) } ?? 1
    case 3, 4: return .string(texts.randomElement(using: &random) ?? "")
    case 5, 6: return .array((0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth: depth - 1, &random) })
    default:
      let members = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        (["id", "name", "key", "items", "n", ""].randomElement(using: &random) ?? "", value(depth: depth - 1, &random))
      }
      return .object(JSONObject(members))
    }
  }
}
