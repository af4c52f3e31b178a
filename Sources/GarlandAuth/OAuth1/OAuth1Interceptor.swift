public import GarlandNetworking
import HTTPTypes

/// Signs the requests of a session by OAuth 1.0a.
public struct OAuth1Interceptor: RequestInterceptor {
  private let signer: OAuth1Signer
  private let environment: AuthEnvironment

  /// Signs as this signer does.
  public init(_ signer: OAuth1Signer, environment: AuthEnvironment = AuthEnvironment()) {
    self.signer = signer
    self.environment = environment
  }

  /// Signs a request as it is: whatever changes its URL or its form has to come before.
  public func adapt(_ request: TransferRequest) async throws -> TransferRequest { try signed(request) }

  /// The same at once.
  public func signed(_ request: TransferRequest) throws(OAuthError) -> TransferRequest {
    var form: [(name: String, value: String)] = []
    let type = request.headerFields[.contentType]?.prefix { $0 != ";" }.lowercased()
    if type == "application/x-www-form-urlencoded", case .bytes(let bytes) = request.body {
      form = FormFields.parse(String(decoding: bytes, as: UTF8.self))
    }
    var request = request
    request.headerFields[.authorization] = try signer.authorization(
      method: request.method.rawValue, url: request.url, form: form, timestamp: Int(environment.now()),
      nonce: try environment.randomText(16))
    return request
  }
}
