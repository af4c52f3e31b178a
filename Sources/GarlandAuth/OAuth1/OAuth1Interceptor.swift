public import GarlandTransfer
import HTTPTypes

/// Signs the requests of a session with OAuth 1.0a.
public struct OAuth1Interceptor: Sendable {
  private let signer: OAuth1Signer
  private let environment: AuthEnvironment

  /// Creates an interceptor that signs requests with `signer`.
  public init(_ signer: OAuth1Signer, environment: AuthEnvironment = AuthEnvironment()) {
    self.signer = signer
    self.environment = environment
  }

  /// Whether the signature method is PLAINTEXT, which sends the secrets themselves instead of a signature.
  package var isPlain: Bool { if case .plaintext = signer.method { true } else { false } }

  /// Signs the request. The signature covers the URL and a form-encoded body. Do not change them afterwards.
  ///
  /// After a redirect within the origin, the new request is signed too; after a redirect to another origin, it is not signed.
  public func signed(_ request: TransferRequest) throws(OAuthError) -> TransferRequest {
    var content: [UInt8]?
    if case .bytes(let bytes) = request.body { content = bytes }
    var request = request
    request.headerFields[.authorization] = try field(
      request.method.rawValue, request.url, contentType: request.headerFields[.contentType], body: content)
    request.hopSigner = self
    return request
  }

  private func field(_ method: String, _ url: String, contentType: String?, body: [UInt8]?) throws(OAuthError) -> String {
    var form: [(name: String, value: String)] = []
    if contentType?.prefix(while: { $0 != ";" }).lowercased() == "application/x-www-form-urlencoded", let body {
      form = FormFields.parse(String(decoding: body, as: UTF8.self))
    }
    return try signer.authorization(
      method: method, url: url, form: form, timestamp: Int(environment.now()), nonce: try environment.randomText(16))
  }
}

extension OAuth1Interceptor: HopSigner {
  package func authorization(method: String, url: String, contentType: String?, body: [UInt8]?) throws -> String {
    try field(method, url, contentType: contentType, body: body)
  }
}
