public import GarlandAuth
import Synchronization

/// The tokens of a run, one for each identity, whatever documents and steps need them; and where they come from beside the provider.
public final class RunTokens: Sendable {
  /// Where tokens are kept between runs; nil keeps none.
  public let cache: (any TokenCache)?
  /// Makes who takes a user through the provider's pages, where a document has no `authorize` steps.
  ///
  /// - Parameters:
  ///   - redirectURI: that of the document, if there is one.
  ///   - show: shows the page to open among the notices of the run.
  public typealias Browser =
    @Sendable (_ redirectURI: String?, _ show: @escaping @Sendable (String) async -> Void) -> any AuthorizationAgent

  /// Who takes a user through the provider's pages; nil where there is nobody.
  public let browser: Browser?
  private let sources = Mutex<[String: TokenSource]>([:])

  /// By default nothing is kept, and there is no browser.
  public init(cache: (any TokenCache)? = nil, browser: Browser? = nil) {
    self.cache = cache
    self.browser = browser
  }

  /// The source for an identity, made by who asks first.
  func source(_ key: String, _ make: () -> TokenSource) -> TokenSource {
    sources.withLock { sources in
      if let known = sources[key] { return known }
      let new = make()
      sources[key] = new
      return new
    }
  }
}
