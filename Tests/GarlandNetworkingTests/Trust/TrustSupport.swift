import GarlandNetworking
import TestSupport
import Testing
import TransferTestSupport

extension TrustServer {
  /// Returns a session that trusts one of the authorities and uses these evaluators.
  func session(
    trusting authority: String = "root.pem", _ evaluator: (any ServerTrustEvaluating)? = nil,
    _ change: (inout TLSSettings) -> Void = { _ in }
  ) throws -> Session {
    var configuration = SessionConfiguration.ephemeral
    configuration.settings.tls.authorities = file(authority)
    if let evaluator { configuration.settings.serverTrust = try ServerTrustManager(["localhost": evaluator]) }
    change(&configuration.settings.tls)
    return Session(configuration)
  }
}

/// The response of a trust server.
struct TrustAnswer {
  let isResumed: Bool
  let serverName: String
  let version: String
  let cipher: String
  let client: String

  init(_ text: String) throws {
    let parts = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    try #require(parts.count == 6, "\(text)")
    (isResumed, serverName, version, cipher, client) = (parts[0] == "r", parts[1], parts[2], parts[3], parts[4])
  }
}

extension Session {
  func answer(_ url: String, _ modify: ((inout TransferRequest) -> Void)? = nil) async throws -> TrustAnswer {
    try TrustAnswer(try await request(url, modify: modify).validate().string)
  }

  /// Returns the reason why a server is refused; nil if it is accepted.
  func refusal(_ url: String, _ modify: ((inout TransferRequest) -> Void)? = nil) async -> NetworkingError.Trust? {
    let response = await request(url, modify: modify).response()
    if case .trust(let refusal) = response.error?.reason { return refusal }
    if let error = response.error { Issue.record("\(error)") }
    return nil
  }

  /// Returns the TLS failure of a request.
  func failure(_ url: String, _ modify: ((inout TransferRequest) -> Void)? = nil) async -> NetworkingError.TLS? {
    let response = await request(url, modify: modify).response()
    if case .tls(let failure, _) = response.error?.reason { return failure }
    if let error = response.error { Issue.record("\(error)") }
    return nil
  }

  func port(_ url: String) async throws -> Int? {
    let response = await request(url).validate().response()
    if let error = response.error { throw error }
    return response.metrics.last?.transactions.last?.localPort
  }
}
