/// Signs a request again after each redirect, since the signature covers the URL.
package protocol HopSigner: Sendable {
  /// Returns the value of the `Authorization` field for a request or for the request after a redirect.
  ///
  /// - Parameters:
  ///   - method: The method, which a redirect may have changed to GET.
  ///   - url: The URL without fragment, user and password.
  ///   - contentType: The content type, if content is sent.
  ///   - body: The content, if it is sent from memory.
  func authorization(method: String, url: String, contentType: String?, body: [UInt8]?) throws -> String
}
