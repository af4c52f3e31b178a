import ArgumentParser
import GarlandAuth

/// Which tokens are kept between runs.
enum TokenCacheChoice: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never
}

/// What becomes of tokens when a run is over.
struct TokenOptions: ParsableArguments {
  @Option(
    name: .customLong("token-cache"),
    help: ArgumentHelp(
      "Tokens of earlier runs. auto: those of `garland auth login`, and none where CI is set; always: every token is kept; never. GARLAND_TOKEN_CACHE in the environment says the same.",
      valueName: "when"))
  var tokenCache: TokenCacheChoice?

  /// The cache of a run; nil for none.
  func cache(_ environment: [String: String]) throws(CommandFailure) -> (any TokenCache)? {
    let choice = if let tokenCache { tokenCache } else { try Self.choice(environment) }
    switch choice {
    case .never: return nil
    case .always: return try Self.cache(environment)
    case .auto:
      // Without a home there is nothing that was kept.
      guard !Self.isCI(environment), let directory = FileTokenCache.defaultDirectory(environment: environment) else { return nil }
      return KnownTokens(FileTokenCache(directory: directory))
    }
  }

  /// Where `garland auth` keeps tokens.
  static func cache(_ environment: [String: String]) throws(CommandFailure) -> FileTokenCache {
    guard let directory = FileTokenCache.defaultDirectory(environment: environment) else {
      throw .usage("there is no place to keep tokens: neither HOME nor XDG_STATE_HOME is set")
    }
    return FileTokenCache(directory: directory)
  }

  /// Whether this is a machine that nobody sits at.
  static func isCI(_ environment: [String: String]) -> Bool { !["", "0", "false"].contains(environment["CI"] ?? "") }

  private static func choice(_ environment: [String: String]) throws(CommandFailure) -> TokenCacheChoice {
    guard let word = environment["GARLAND_TOKEN_CACHE"], !word.isEmpty else { return .auto }
    guard let choice = TokenCacheChoice(rawValue: word) else {
      throw .usage("GARLAND_TOKEN_CACHE is \(word), expected auto, always or never")
    }
    return choice
  }
}
