/// The stage of a run that sends load, and the caller that waits for its end.
struct LoadStage {
  /// Whether repetitions are being begun, so that one that ends at once begins no other within.
  var isPumping = false
  /// Whether the last repetition has ended.
  private(set) var hasEnded = false
  private var continuation: CheckedContinuation<Void, Never>?

  mutating func begins(until continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }

  mutating func end() {
    hasEnded = true
    continuation?.resume()
    continuation = nil
  }
}
