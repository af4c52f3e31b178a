import Testing

@testable import GarlandText

@Suite struct TrimmingTests {
  @Test(arguments: [("", ""), (" \t ", ""), ("\t a b\t", "a b"), ("\na ", "\na")])
  func `only spaces and tabs are removed as blanks`(text: String, expected: String) {
    #expect(text.withoutBlanks == expected)
  }

  @Test(arguments: [("", ""), (" \r\n ", ""), ("\r\n a b\u{A0}\t", "a b"), ("a", "a")])
  func `a trimmed text has no white space at its ends`(text: String, expected: String) {
    #expect(text.trimmed == expected)
    #expect(text[...].trimmed == expected)
  }
}
