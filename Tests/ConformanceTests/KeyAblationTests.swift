import Testing

/// Each key of the language does something that a case would miss: with the key taken out of it, a case or a twin comes out otherwise.
@Suite(.timeLimit(.minutes(5))) struct KeyAblationTests {
  @Test(arguments: KeyAblation.keys) func `each key is missed`(_ key: String) async throws {
    guard let tried = try await KeyAblation.shared.casesUnmoved(by: key) else { return }
    if try await KeyAblation.shared.keysMissedByTheCommand().contains(key) { return }
    Issue.record("without `\(key)` nothing comes out otherwise, of \(tried)")
  }
}
