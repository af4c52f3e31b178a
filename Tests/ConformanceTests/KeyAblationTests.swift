import Testing

/// Each key of the language does something that a case would miss: with the key taken out of it, a case or a twin comes out otherwise.
@Suite(.timeLimit(.minutes(15))) struct KeyAblationTests {
  @Test func `each key of the workflow format changes the result of at least one case in Tests/Conformance`()
    async throws
  {
    for (key, tried) in try await KeyAblation.keysThatNobodyMisses() {
      Issue.record("without `\(key)` nothing comes out otherwise, of \(tried)")
    }
  }
}
