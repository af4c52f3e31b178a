import Synchronization

/// Caches verified OCSP responses. Verifying a signature takes longer than the rest of a request on
/// an open connection.
final class StapledAnswers: Sendable {
  private struct Key: Hashable {
    let response: [UInt8]
    let certificate: Certificate
    let issuer: Certificate
  }

  private static let capacity = 64
  private let known = Mutex<[Key: StapledResponse.Answer]>([:])

  /// Returns the same result as ``StapledResponse/answer(in:for:issuer:)``, from the cache if possible.
  func answer(
    in response: [UInt8], for certificate: Certificate, issuer: Certificate
  ) -> Result<StapledResponse.Answer, StapledResponse.Problem> {
    let key = Key(response: response, certificate: certificate, issuer: issuer)
    if let answer = known.withLock({ $0[key] }) { return .success(answer) }
    let result = StapledResponse.answer(in: response, for: certificate, issuer: issuer)
    if case .success(let answer) = result {
      known.withLock { known in
        if known.count >= Self.capacity { known.removeAll() }
        known[key] = answer
      }
    }
    return result
  }
}
