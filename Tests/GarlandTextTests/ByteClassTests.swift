import Testing

@testable import GarlandText

@Suite struct ByteClassTests {
  private static func members(_ isMember: (UInt8) -> Bool) -> String {
    String(decoding: (UInt8.min ... .max).filter(isMember), as: UTF8.self)
  }

  @Test func `a class of bytes has exactly the ASCII characters of its name`() {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    #expect(Self.members(\.isBlank) == "\t ")
    #expect(Self.members(\.isWhiteSpace).unicodeScalars.elementsEqual(["\t", "\n", "\r", " "]))
    #expect(Self.members(\.isDigit) == "0123456789")
    #expect(Self.members(\.isLetter) == letters)
    #expect(Self.members(\.isLetterOrDigit) == "0123456789" + letters)
    #expect(Self.members(\.isHexDigit) == "0123456789ABCDEFabcdef")
  }
}
