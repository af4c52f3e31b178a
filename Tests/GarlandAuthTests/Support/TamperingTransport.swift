import GarlandAuth
import GarlandNetworking

/// A transport that tampers with requests to the token endpoint.
struct TamperingTransport: AuthTransport {
  let inner: SessionTransport
  /// The number of times that each token request is sent. The last response is returned.
  var times = 1
  /// Changes the form of a token request.
  var change: @Sendable (String) -> String = { $0 }

  func send(_ request: TransferRequest, for purpose: AuthPurpose) async throws(NetworkingError) -> TransferResponse {
    guard purpose == .token, case .bytes(let bytes) = request.body else { return try await inner.send(request, for: purpose) }
    var changed = request
    changed.body = .bytes(Array(change(String(decoding: bytes, as: UTF8.self)).utf8))
    for _ in 1..<times { _ = try await inner.send(changed, for: purpose) }
    return try await inner.send(changed, for: purpose)
  }
}
