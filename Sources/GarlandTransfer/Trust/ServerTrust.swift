/// The proof of identity that a server has presented.
public struct ServerTrust: Sendable {
  /// The host of the URL, in lower case and ASCII.
  public let host: String
  /// The certificates, starting with the server's own.
  ///
  /// If ``isVerified`` is true, this is the verified chain: each certificate was issued by the
  /// next, and the last one is trusted. It excludes other certificates that the server sent, and
  /// includes those that it did not send, such as the root. If ``isVerified`` is false, these are the
  /// certificates that the server sent, which prove only that it has the key of the first certificate.
  public let chain: [Certificate]
  /// Whether the chain was verified.
  public let isVerified: Bool
  /// The stapled OCSP response in DER; nil if it was not requested or not sent.
  public let stapledResponse: [UInt8]?

  /// Creates a proof of identity.
  public init(host: String, chain: [Certificate], isVerified: Bool, stapledResponse: [UInt8]? = nil) {
    self.host = host
    self.chain = chain
    self.isVerified = isVerified
    self.stapledResponse = stapledResponse
  }
}
