import GarlandText
import TestSupport
import Testing

@testable import GarlandTransfer

@Suite struct UTF8ValidatorTests {
  private static func isValid(_ bytes: [UInt8], pieces: Int) -> Bool {
    var validator = UTF8Validator()
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      guard bytes[start..<min(bytes.count, start + pieces)].withUnsafeBytes({ validator.take($0) }) else { return false }
    }
    return validator.isAtBoundary
  }

  // The limits in table 3-7 of Unicode 16.
  @Test(
    arguments: [
      ("", true), ("7f", true), ("c280", true), ("dfbf", true), ("e0a080", true), ("ecbfbf", true), ("ed9fbf", true), ("ee8080", true),
      ("efbfbf", true), ("f0908080", true), ("f48fbfbf", true), ("80", false), ("bf", false), ("c080", false), ("c1bf", false),
      ("c2", false), ("c241", false), ("e09fbf", false), ("eda080", false), ("edbfbf", false), ("f08fbfbf", false), ("f4908080", false),
      ("f5808080", false), ("f8888080", false), ("fe", false), ("ff", false), ("e28228a1", false), ("6161616161616161c3", false),
      ("61616161616161c3a9616161616161616161", true),
    ])
  func `the UTF-8 validator refuses overlong forms and surrogates`(_ bytes: String, _ isValid: Bool) throws {
    let bytes = try Hex.decode(bytes)
    for pieces in 1...max(1, bytes.count) { #expect(Self.isValid(bytes, pieces: pieces) == isValid) }
  }

  @Test func `the UTF-8 validator accepts random bytes if and only if Swift's standard library accepts them`() {
    var random = SeededRandom(seed: 7)
    let interesting: [UInt8] = [0x41, 0x80, 0x9F, 0xA0, 0xBF, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xFF]
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...6, using: &random)).map { _ in interesting.randomElement(using: &random) ?? 0 }
      #expect(Self.isValid(bytes, pieces: 1) == (String(validating: bytes, as: UTF8.self) != nil))
    }
  }
}
