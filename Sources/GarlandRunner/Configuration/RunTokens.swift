public import GarlandAuth
import Synchronization

/// The tokens of a run, one for each identity, whatever documents and steps need them; and where they come from beside the provider.
public final class RunTokens: Sendable {
  /// The cache of tokens between runs; nil keeps none.
  public let cache: (any TokenCache)?
  /// Makes the agent that opens the provider's pages for a user, if a document has no `authorize` steps.
  ///
  /// - Parameters:
  ///   - redirectURI: that of the document, if there is one.
  ///   - show: shows the page to open among the notices of the run.
  public typealias Browser =
    @Sendable (_ redirectURI: String?, _ show: @escaping @Sendable (String) async -> Void) -> any AuthorizationAgent

  /// Opens the provider's pages for a user; nil if there is no user.
  public let browser: Browser?
  private let sources = Mutex<[String: TokenSource]>([:])

  /// By default nothing is kept, and there is no browser.
  public init(cache: (any TokenCache)? = nil, browser: Browser? = nil) {
    self.cache = cache
    self.browser = browser
  }

  /// Returns the source for an identity, which the first caller makes.
  func source(_ key: String, _ make: () -> TokenSource) -> TokenSource {
    sources.withLock { sources in
      if let known = sources[key] { return known }
      let new = make()
      sources[key] = new
      return new
    }
  }
}
