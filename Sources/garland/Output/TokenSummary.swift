import GarlandAuth

/// What is worth knowing of tokens, and no secret.
struct TokenSummary {
  let text: String

  init(_ tokens: TokenSet, now: Double) {
    var words = tokens.claims?["sub"]?.stringValue.map { " as \($0)" } ?? ""
    if !tokens.scope.isEmpty { words += ", scope \(tokens.scope.joined(separator: " "))" }
    let isRenewed = tokens.refreshToken != nil
    if let end = tokens.expiresAt {
      let left = end - now
      words += left > 0 ? ", for \(Self.words(left))" : ", ended \(Self.words(-left)) ago"
      words += isRenewed ? " and then refreshed" : ""
    }
    text = words
  }

  private static func words(_ seconds: Double) -> String {
    let units = [(86_400.0, "d"), (3_600, "h"), (60, "min")]
    guard let (size, name) = units.first(where: { seconds >= $0.0 }) else { return "\(Int(seconds)) s" }
    return "\(Int((seconds / size).rounded(.down))) \(name)"
  }
}
