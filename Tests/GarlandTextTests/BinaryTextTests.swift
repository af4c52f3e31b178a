import TestSupport
import Testing

@testable import GarlandText

@Suite struct BinaryTextTests {
  /// RFC 4648 section 10.
  static let vectors = [
    ("", "", ""), ("f", "Zg==", "66"), ("fo", "Zm8=", "666f"), ("foo", "Zm9v", "666f6f"), ("foob", "Zm9vYg==", "666f6f62"),
    ("fooba", "Zm9vYmE=", "666f6f6261"), ("foobar", "Zm9vYmFy", "666f6f626172"),
  ]

  @Test(arguments: vectors) func `base64 and hexadecimal codecs match the examples of RFC 4648`(text: String, base64: String, hex: String)
    throws
  {
    let bytes = Array(text.utf8)
    let unpadded = String(base64.prefix { $0 != "=" })
    #expect(Base64.encode(bytes) == base64)
    #expect(try Base64.decode(base64) == bytes)
    #expect(Base64URL.encode(bytes) == unpadded)
    #expect(Base64URL.encode(bytes, padded: true) == base64)
    #expect(try Base64URL.decode(unpadded) == bytes)
    #expect(try Base64URL.decode(base64) == bytes)
    #expect(Hex.encode(bytes) == hex)
    #expect(try Hex.decode(hex.uppercased()) == bytes)
  }

  @Test func `base64 and base64url each refuse the two characters that exist only in the other alphabet`() throws {
    let bytes: [UInt8] = [0xFB, 0xFF, 0xBF]
    #expect(Base64.encode(bytes) == "+/+/")
    #expect(Base64URL.encode(bytes) == "-_-_")
    #expect(throws: BinaryTextError.invalidCharacter(0x2D, offset: 0)) { try Base64.decode("-_-_") }
    #expect(throws: BinaryTextError.invalidCharacter(0x2B, offset: 0)) { try Base64URL.decode("+/+/") }
  }

  static let malformed: [(String, BinaryTextError)] = [
    ("Z", .invalidLength(1)), ("Zg", .invalidPadding(offset: 2)), ("Zg=", .invalidPadding(offset: 2)),
    ("Zg===", .invalidPadding(offset: 2)),
    ("Zm9v=", .invalidPadding(offset: 4)), ("Z=g=", .invalidPadding(offset: 1)), ("====", .invalidPadding(offset: 0)),
    ("Zh==", .trailingBits(offset: 1)), ("Zm9=", .trailingBits(offset: 2)), ("Zm 9", .invalidCharacter(0x20, offset: 2)),
    ("Zm9v\n", .invalidCharacter(0x0A, offset: 4)), ("Zm9é", .invalidCharacter(0xC3, offset: 3)),
  ]

  @Test(arguments: malformed) func `malformed base64 is refused with the offset of the error`(text: String, expected: BinaryTextError) {
    #expect(throws: expected) { try Base64.decode(text) }
    #expect(!expected.description.isEmpty)
  }

  @Test func `base64url text with incomplete padding or a 1 in its unused bits is refused`() {
    #expect(throws: BinaryTextError.invalidPadding(offset: 2)) { try Base64URL.decode("Zg=") }
    #expect(throws: BinaryTextError.trailingBits(offset: 1)) { try Base64URL.decode("Zh") }
  }

  @Test func `a number in hexadecimal digits has the width of its type unless a width is given`() {
    #expect(Hex.padded(0x2F as UInt32) == "0000002f")
    #expect(Hex.padded(UInt128.max) == String(repeating: "f", count: 32))
    #expect(Hex.padded(0x2F as UInt32, to: 4, uppercase: true) == "002F")
    #expect(Hex.padded(0x12345 as UInt32, to: 4) == "12345")
  }

  @Test func `hexadecimal text is in upper case only if the caller asks for it`() {
    #expect(Hex.encode([0x0A, 0xBC]) == "0abc")
    #expect(Hex.encode([0x0A, 0xBC], uppercase: true) == "0ABC")
  }

  @Test func `a byte is a hexadecimal digit exactly if Character says so`() {
    for byte in UInt8.min ... .max {
      let value = byte < 0x80 ? Character(Unicode.Scalar(byte)).hexDigitValue : nil
      #expect(Hex.value(byte).map(Int.init) == value)
      #expect(byte.isHexDigit == (value != nil))
    }
  }

  @Test func `text of odd length or with an invalid character can't be decoded as hexadecimal`() {
    #expect(throws: BinaryTextError.invalidLength(3)) { try Hex.decode("abc") }
    #expect(throws: BinaryTextError.invalidCharacter(0x67, offset: 1)) { try Hex.decode("ag") }
  }

  @Test func `random bytes are unchanged after encoding and decoding as base64, base64url or hexadecimal text`() throws {
    var generator = SeededRandom(seed: 42)
    for count in 0..<300 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      #expect(try Base64.decode(Base64.encode(bytes)) == bytes)
      #expect(try Base64URL.decode(Base64URL.encode(bytes)) == bytes)
      #expect(try Hex.decode(Hex.encode(bytes)) == bytes)
    }
  }

  /// A text that decodes must be the only encoding of its bytes, so that no two texts mean the same
  /// bytes.
  @Test func `base64 text is decoded only if it is the canonical encoding of its bytes`() throws {
    var generator = SeededRandom(seed: 7)
    let alphabet = Array("ABZaz09+/=- ".utf8)
    var accepted = 0
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0...8, using: &generator)).map { _ in alphabet.randomElement(using: &generator) ?? 0x41 }
      guard let bytes = try? Base64.decode(text) else { continue }
      accepted += 1
      #expect(Base64.encode(bytes) == String(decoding: text, as: UTF8.self))
    }
    #expect(accepted > 100)
  }
}
