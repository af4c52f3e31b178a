import GarlandAuth
import Synchronization

/// The access tokens of a run, which all documents and steps share. Each identity (provider, client, user, scope and target) has one token.
/// A token comes from the provider, from a cache, or from a login in the browser.
package final class RunTokens: Sendable {
  /// The cache that keeps tokens between runs; nil if tokens are not cached.
  package let cache: (any TokenCache)?
  /// A function that creates the agent for logins in a browser. The agent opens the provider's page, on which the user logs in. The steps
  /// under `authorize` log in without a browser; an `auth` entry without such steps needs this function.
  ///
  /// - Parameters:
  ///   - redirectURI: the redirect URI that the document sets; nil if it sets none.
  ///   - show: shows the URL of the page as a notice of the run.
  package typealias Browser =
    @Sendable (_ redirectURI: String?, _ show: @escaping @Sendable (String) async -> Void) -> any AuthorizationAgent

  /// The function that creates the agent for logins in a browser; nil for a run without a user who could log in.
  package let browser: Browser?
  private let sources = Mutex<[String: TokenSource]>([:])

  /// Creates an empty set of tokens. By default it has neither a cache nor a browser.
  package init(cache: (any TokenCache)? = nil, browser: Browser? = nil) {
    self.cache = cache
    self.browser = browser
  }

  /// Returns the source that obtains and renews the tokens of one OAuth configuration.
  ///
  /// - Parameters:
  ///   - key: a text that identifies the OAuth configuration.
  ///   - make: creates the source; called only for the first call of this function with this key.
  func source(_ key: String, _ make: () -> TokenSource) -> TokenSource {
    sources.withLock { sources in
      if let known = sources[key] { return known }
      let new = make()
      sources[key] = new
      return new
    }
  }
}
