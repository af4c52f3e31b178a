/// Decides when a device polls the provider again, and when it gives up (RFC 8628 section 3.5). The type only computes: its caller waits
/// and sends the requests.
struct DevicePolling {
  enum Action: Hashable {
    case wait(Duration)
    case fail(OAuthError)
  }

  private(set) var interval: Double
  private let end: Double
  private let isCodeGoodForLonger: Bool

  /// Creates the state before the first poll. The caller waits for ``interval`` seconds before it sends the first request.
  ///
  /// - Parameter patience: The time limit for the user; nil means the lifetime of the code.
  init(_ device: DeviceAuthorization, patience: Duration? = nil, now: Double) {
    let limit = patience.map { $0 / .seconds(1) } ?? .infinity
    isCodeGoodForLonger = limit < device.expiresIn
    end = now + min(device.expiresIn, limit)
    interval = isCodeGoodForLonger ? min(device.interval, limit) : device.interval
  }

  /// Returns the next action after a poll whose response was `error` instead of a token.
  mutating func next(after error: OAuthError, now: Double) -> Action {
    switch error {
    case .refused(let refusal, _) where refusal.code == "authorization_pending": break
    case .refused(let refusal, _) where refusal.code == "slow_down": interval += 5
    // After a timeout, repeat the request, but less often.
    case .transport(let reason, _, _) where reason.kind == .timeout: interval = max(interval, 1) * 2
    default: return .fail(error)
    }
    guard now + interval < end || (isCodeGoodForLonger && now < end) else {
      return .fail(
        .timeUp("no user approved the device \(isCodeGoodForLonger ? "within the time limit" : "before its code expired")"))
    }
    // If the time limit is shorter than the code's lifetime, the device polls once more at the time limit.
    return .wait(.nanoseconds(Int64(min(interval, end - now) * 1e9)))
  }
}
