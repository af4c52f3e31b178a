/// What a server has shown of itself.
public struct ServerTrust: Sendable {
  /// The host of the URL, in lower case and ASCII.
  public let host: String
  /// Certificates, the server's own first.
  ///
  /// If ``isVerified``, the chain that was verified: each was made by the next, and the last is one that is trusted. What else the server may have sent is not in it,
  /// and what it did not send, as the root, is. Otherwise what the server sent, which proves nothing but that it has the first one's key.
  public let chain: [Certificate]
  /// Whether the chain was verified.
  public let isVerified: Bool
  /// The stapled OCSP response in DER, if the server was asked for one and has sent one.
  public let stapledResponse: [UInt8]?

  /// All of it.
  public init(host: String, chain: [Certificate], isVerified: Bool, stapledResponse: [UInt8]? = nil) {
    self.host = host
    self.chain = chain
    self.isVerified = isVerified
    self.stapledResponse = stapledResponse
  }
}
