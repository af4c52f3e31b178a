/// When a device asks again, and when it gives up (RFC 8628 section 3.5): a pure value.
struct DevicePolling {
  enum Action: Hashable {
    case wait(Duration)
    case fail(OAuthError)
  }

  private(set) var interval: Double
  private let end: Double

  /// The first thing to do is to wait for ``interval`` seconds.
  init(_ device: DeviceAuthorization, now: Double) {
    interval = device.interval
    end = now + device.expiresIn
  }

  /// What to do after an answer that is no token.
  mutating func next(after error: OAuthError, now: Double) -> Action {
    switch error {
    case .refused(let refusal, _) where refusal.code == "authorization_pending": break
    case .refused(let refusal, _) where refusal.code == "slow_down": interval += 5
    // Trouble on the way: the same question is good again, but less often.
    case .transport(let reason, _, _) where reason.kind == .timeout: interval = max(interval, 1) * 2
    default: return .fail(error)
    }
    guard now + interval < end else { return .fail(.timeUp("nobody has let the device in before its code expired")) }
    return .wait(.nanoseconds(Int64(interval * 1e9)))
  }
}
