import GarlandAuth
import GarlandNetworking

/// Somebody between the client and the token endpoint.
struct TamperingTransport: AuthTransport {
  let inner: SessionTransport
  /// How often each request for a token arrives; the last answer is handed on.
  var times = 1
  /// Changes the form of a request for a token.
  var change: @Sendable (String) -> String = { $0 }

  func send(_ request: TransferRequest, for purpose: AuthPurpose) async throws(NetworkingError) -> TransferResponse {
    guard purpose == .token, case .bytes(let bytes) = request.body else { return try await inner.send(request, for: purpose) }
    var changed = request
    changed.body = .bytes(Array(change(String(decoding: bytes, as: UTF8.self)).utf8))
    for _ in 1..<times { _ = try await inner.send(changed, for: purpose) }
    return try await inner.send(changed, for: purpose)
  }
}
