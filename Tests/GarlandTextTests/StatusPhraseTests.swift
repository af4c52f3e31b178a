import Testing

@testable import GarlandText

@Suite struct StatusPhraseTests {
  @Test func `a registered status has its phrase, and any other status none`() {
    #expect(StatusPhrase.of(413) == "Content Too Large")
    #expect(StatusPhrase.of(299) == nil)
  }

  @Test(arguments: ["Not Found", "not found", "NotFound", "not_found"]) func `a phrase is found by its letters, in either case`(
    text: String
  ) {
    #expect(StatusPhrase.status(of: text) == 404)
  }

  @Test(arguments: ["", "404", "lost"]) func `a text that is no phrase has no status`(text: String) {
    #expect(StatusPhrase.status(of: text) == nil)
  }
}
