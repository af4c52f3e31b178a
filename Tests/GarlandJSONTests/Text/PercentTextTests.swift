import Testing

@testable import GarlandJSON

@Suite struct PercentTextTests {
  @Test func `characters that are not unreserved are encoded as their UTF-8 bytes`() {
    #expect(PercentText.encode("aZ09-._~") == "aZ09-._~")
    #expect(PercentText.encode("a b/ü") == "a%20b%2F%C3%BC")
  }

  @Test func `characters in the set of allowed characters are not encoded`() {
    #expect(PercentText.encode("/a b", keeping: "/") == "/a%20b")
  }

  @Test(arguments: [
    ("a%20b", "a b"), ("%C3%BC", "ü"), ("%c3%bc", "ü"), ("100%", "100%"), ("%4", "%4"), ("%zz", "%zz"), ("%%41", "%A"), ("%+1", "%+1"),
  ])
  func `a percent sign that is not followed by two hexadecimal digits is decoded unchanged`(text: String, decoded: String) {
    #expect(String(decoding: PercentText.decode(text), as: UTF8.self) == decoded)
  }

  @Test(arguments: ["100%", "%4", "%zz", "%%41", "%FF"])
  func `a text that is not a valid URI fragment is refused`(text: String) {
    #expect(PercentText.decodeStrictly(text) == nil)
  }

  @Test func `a valid URI fragment is decoded`() {
    #expect(PercentText.decodeStrictly("a%20%C3%BC") == "a ü")
    #expect(PercentText.decodeStrictly("a b") == "a b")
  }
}
