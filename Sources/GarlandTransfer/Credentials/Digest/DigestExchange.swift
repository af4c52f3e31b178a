/// The exchange of one request with a server that requires Digest. It decides how to handle each 401.
///
/// The type is a pure value. Each request has its own value, and so has each request after a redirect.
struct DigestExchange: Sendable {
  /// The reaction to a 401 response: deliver it, answer its challenge, or fail.
  enum Decision: Sendable, Hashable {
    /// Deliver the 401 as the response: the user or password is wrong, or the server requires another
    /// scheme.
    case deliver
    /// Send the request again with an answer to this challenge.
    case answer(DigestChallenge)
    /// Fail, since the server requires an unsupported kind of digest, which the text describes.
    case refuse(String)
  }

  /// The maximum number of times that the request is sent with an answer to a challenge. Without this limit, a server that declares every
  /// nonce stale would cause endless repetitions.
  private static let maximumAnswers = 3

  /// The nonce of the answer that was sent with the request; nil if no answer was sent.
  private var sentNonce: String?
  private var answers = 0

  /// Records whether the request is sent with an answer: `nonce` is the nonce of the answer, or nil if there is no answer.
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
