import GarlandDiagnostics
import Testing

@Suite struct SuggestionTests {
  static let keys = ["status", "type", "headers", "json", "body", "xpath", "schema", "time", "size", "base_url", "Accept"]

  @Test(
    arguments: [
      ("statsu", "status"), ("Status", "status"), ("header", "headers"), ("jsno", "json"), ("base-url", "base_url"),
      ("baseurl", "base_url"),
      ("bodyy", "body"), ("accept", "Accept"), ("typ", "type"), ("scheme", "schema"),
    ] as [(String, String)])
  func near(_ name: String, _ expected: String) {
    #expect(Suggestion.nearest(to: name, in: Self.keys) == expected)
  }

  @Test(arguments: ["", "x", "completely", "retry", "json_path_of_it"])
  func far(_ name: String) {
    #expect(Suggestion.nearest(to: name, in: Self.keys) == nil)
  }

  @Test func `a short name is not near a longer one by two letters`() {
    #expect(Suggestion.nearest(to: "exec", in: ["expect"]) == nil)
    #expect(Suggestion.nearest(to: "expec", in: ["expect"]) == "expect")
  }

  @Test func prefersTheSameCase() {
    #expect(Suggestion.nearest(to: "NAMEE", in: ["name", "NAME"]) == "NAME")
    #expect(Suggestion.nearest(to: "aab", in: ["aaa", "aac"]) == "aaa")
  }
}
