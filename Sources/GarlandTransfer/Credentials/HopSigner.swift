/// Signs each redirected request again, since the signature covers the URL.
package protocol HopSigner: Sendable {
  /// Returns the value of a hop's Authorization field.
  ///
  /// - Parameters:
  ///   - method: The method of the hop, which may have become GET.
  ///   - url: The URL without fragment, user and password.
  ///   - contentType: The content type, if content is sent.
  ///   - body: The content, if it is sent from memory.
  func authorization(method: String, url: String, contentType: String?, body: [UInt8]?) throws -> String
}
