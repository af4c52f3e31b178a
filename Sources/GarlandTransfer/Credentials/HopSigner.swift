/// Signs the requests that follow from one by redirects, each anew: what was signed is the URL, and that is another one then.
package protocol HopSigner: Sendable {
  /// The value of the Authorization field of a hop.
  ///
  /// - Parameters:
  ///   - method: the hop's, which may have become GET.
  ///   - url: without a fragment, user or password.
  ///   - contentType: that of the content, if it is sent.
  ///   - body: the content, if it is sent and was in memory.
  func authorization(method: String, url: String, contentType: String?, body: [UInt8]?) throws -> String
}
