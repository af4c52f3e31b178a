import ArgumentParser
import GarlandAuth
import Glibc

/// The choice whether tokens are cached between runs.
enum TokenCacheChoice: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never
}

/// The options for the token cache.
struct TokenOptions: ParsableArguments {
  @Option(
    name: .customLong("token-cache"),
    help: ArgumentHelp(
      "Stored tokens. auto: those of `garland auth login`, none if CI is set; always: all tokens; never: none. Default: GARLAND_TOKEN_CACHE in the environment, otherwise auto.",
      valueName: "when"))
  var tokenCache: TokenCacheChoice?

  /// Returns the token cache of a run; nil for a run without a cache.
  ///
  /// - Parameter memory: stores tokens for the next run of `--watch`; nil without `--watch`.
  func cache(_ environment: [String: String], _ memory: inout WatchMemory?) throws(CommandFailure) -> (any TokenCache)? {
    let choice = if let tokenCache { tokenCache } else { try Self.choice(environment) }
    switch choice {
    case .never: return nil
    case .always: return try Self.cache(environment)
    case .auto:
      let known = Self.knownTokens(environment)
      return memory?.tokens(over: known) ?? known
    }
  }

  private static func knownTokens(_ environment: [String: String]) -> KnownTokens? {
    // Without a home folder, no tokens were stored.
    guard !isCI(environment), let directory = directory(environment) else { return nil }
    return KnownTokens(FileTokenCache(directory: directory))
  }

  /// Returns the cache in which `garland auth` stores tokens.
  static func cache(_ environment: [String: String]) throws(CommandFailure) -> FileTokenCache {
    guard let directory = directory(environment) else {
      throw .commandLine("there is no folder to keep tokens: HOME is not a folder, and XDG_STATE_HOME is not set")
    }
    return FileTokenCache(directory: directory)
  }

  /// Returns the folder of the token cache; nil if the home folder does not exist. The home of a service may be a missing folder such as
  /// `/nonexistent`, which must not be created.
  private static func directory(_ environment: [String: String]) -> String? {
    let state = environment["XDG_STATE_HOME"] ?? ""
    if !state.hasPrefix("/"), let home = environment["HOME"] {
      var facts = stat()
      guard stat(home, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else { return nil }
    }
    return FileTokenCache.defaultDirectory(environment: environment)
  }

  /// Whether the command runs in CI, without a user at the machine.
  static func isCI(_ environment: [String: String]) -> Bool { !["", "0", "false"].contains(environment["CI"] ?? "") }

  private static func choice(_ environment: [String: String]) throws(CommandFailure) -> TokenCacheChoice {
    guard let word = environment["GARLAND_TOKEN_CACHE"], !word.isEmpty else { return .auto }
    guard let choice = TokenCacheChoice(rawValue: word) else {
      throw .commandLine("GARLAND_TOKEN_CACHE is \(word), expected auto, always or never")
    }
    return choice
  }
}
