import Testing

@testable import GarlandJSON

@Suite struct PercentTextTests {
  @Test func `characters that are not unreserved are encoded as the bytes of their UTF-8`() {
    #expect(PercentText.encode("aZ09-._~") == "aZ09-._~")
    #expect(PercentText.encode("a b/ü") == "a%20b%2F%C3%BC")
  }

  @Test func `characters of the allowed set are not encoded`() {
    #expect(PercentText.encode("/a b", keeping: "/") == "/a%20b")
  }

  @Test(arguments: [
    ("a%20b", "a b"), ("%C3%BC", "ü"), ("%c3%bc", "ü"), ("100%", "100%"), ("%4", "%4"), ("%zz", "%zz"), ("%%41", "%A"), ("%+1", "%+1"),
  ])
  func `a sign without two digits behind it stays as it is when text is decoded`(text: String, decoded: String) {
    #expect(String(decoding: PercentText.decode(text), as: UTF8.self) == decoded)
  }

  @Test(arguments: ["100%", "%4", "%zz", "%%41", "%FF"])
  func `text is refused that is no fragment of a URI`(text: String) {
    #expect(PercentText.decodeStrictly(text) == nil)
  }

  @Test func `a fragment of a URI is decoded`() {
    #expect(PercentText.decodeStrictly("a%20%C3%BC") == "a ü")
    #expect(PercentText.decodeStrictly("a b") == "a b")
  }
}
