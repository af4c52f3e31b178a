/// The stage of a load test, and the caller that waits for its end.
struct LoadStage {
  /// Whether repetitions are being started. A repetition that ends at once while this is true does not start another repetition
  /// recursively.
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
