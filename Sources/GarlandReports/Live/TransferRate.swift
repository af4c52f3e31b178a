/// The current speed of a transfer, as a moving average over about two seconds.
struct TransferRate {
  private var lastBytes = 0
  private var lastTime: Duration?
  /// The speed, or nil as long as it is unknown.
  private(set) var bytesPerSecond: Double?

  /// Adds a measurement.
  ///
  /// - Parameters:
  ///   - bytes: the number of bytes transferred so far.
  ///   - now: the current time, counted from an arbitrary moment; it must never decrease.
  mutating func measure(_ bytes: Int, at now: Duration) {
    guard let lastTime, bytes >= lastBytes else {
      lastTime = now
      lastBytes = bytes
      return
    }
    let seconds = Double(Readable.microseconds(now - lastTime)) / 1_000_000
    // Shorter intervals would measure the kernel's buffers instead of the network.
    guard seconds >= 0.2 else { return }
    let current = Double(bytes - lastBytes) / seconds
    let weight = min(1, seconds / 2)
    bytesPerSecond = bytesPerSecond.map { $0 + (current - $0) * weight } ?? current
    self.lastTime = now
    lastBytes = bytes
  }

  /// Returns the time that the transfer of `bytes` more bytes would take at the current speed. Nil
  /// if the speed is unknown or the time exceeds a day.
  func timeLeft(for bytes: Int) -> Duration? {
    guard let bytesPerSecond, bytesPerSecond >= 1 else { return nil }
    let seconds = Double(max(0, bytes)) / bytesPerSecond
    return seconds < 86_400 ? .milliseconds(Int(seconds * 1_000)) : nil
  }
}
