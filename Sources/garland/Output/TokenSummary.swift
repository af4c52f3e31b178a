import GarlandAuth
import GarlandDiagnostics

/// A phrase about tokens for the user: the account, the scopes, and the time until the tokens expire. The phrase contains no secret.
struct TokenSummary {
  let text: String

  init(_ tokens: TokenSet, now: Double) {
    // The text comes from the provider and is shown on a terminal, so control characters are made visible.
    var words = tokens.claims?["sub"]?.stringValue.map { " as \(DisplayText.visible($0))" } ?? ""
    if !tokens.scope.isEmpty { words += ", scope \(DisplayText.visible(tokens.scope.joined(separator: " ")))" }
    let isRenewed = tokens.refreshToken != nil
    if let end = tokens.expiresAt {
      let left = end - now
      words += left > 0 ? ", for \(Self.words(left))" : ", ended \(Self.words(-left)) ago"
      words += isRenewed ? " and then refreshed" : ""
    }
    text = words
  }

  private static func words(_ seconds: Double) -> String {
    // A provider may send any number.
    let seconds = min(max(seconds, 0), 1e9)
    let units = [(86_400.0, "d"), (3_600, "h"), (60, "min")]
    guard let (size, name) = units.first(where: { seconds >= $0.0 }) else { return "\(Int(seconds)) s" }
    return "\(Int((seconds / size).rounded(.down))) \(name)"
  }
}
