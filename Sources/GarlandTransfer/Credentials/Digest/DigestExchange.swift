/// Decides how one request handles each 401 response of a server that requires Digest authentication.
///
/// The caller sends the requests. It creates a new value of this type for each request, and for each redirect that it follows.
struct DigestExchange: Sendable {
  /// The reaction to a 401 response: deliver it, answer its challenge, or fail.
  enum Decision: Sendable, Hashable {
    /// Deliver the 401 as the response: the user or password is wrong, or the server requires another
    /// scheme.
    case deliver
    /// Send the request again with an answer to this challenge.
    case answer(DigestChallenge)
    /// Fail, since the server requires an unsupported kind of digest. The associated value describes this kind.
    case refuse(String)
  }

  /// The maximum number of times that the request is sent with an answer to a challenge. Without this limit, a server that declares every
  /// nonce stale would cause endless repetitions.
  private static let maximumAnswers = 3

  /// The nonce of the answer that was sent with the request; nil if no answer was sent.
  private var sentNonce: String?
  private var answers = 0

  /// Records the nonce of the digest response (the `Authorization` value) with which the request is sent. The nonce is nil if the request
  /// is sent without a digest response.
  mutating func send(nonce: String?) { sentNonce = nonce }

  mutating func receive(_ challenges: [AuthenticationChallenge]) -> Decision {
    var refusal: String?
    for challenge in challenges where challenge.isOf(scheme: "Digest") {
      do throws(DigestChallenge.Refusal) {
        // RFC 7616, section 3.7: the server's order is its preference.
        return decide(try DigestChallenge(challenge))
      } catch {
        refusal = refusal ?? error.detail
      }
    }
    return refusal.map { .refuse($0) } ?? .deliver
  }

  private mutating func decide(_ challenge: DigestChallenge) -> Decision {
    if let sentNonce {
      // A remembered nonce may be too old, which not every server reports as `stale`, so it is replaced once. The nonce of a new
      // challenge cannot be too old.
      let isOld = answers == 0 && challenge.nonce != sentNonce
      guard challenge.isStale || isOld, answers < Self.maximumAnswers else { return .deliver }
    } else if answers > 0 {
      return .deliver
    }
    answers += 1
    return .answer(challenge)
  }
}
