import CCurl
import Glibc

/// A descriptor that ends a poll at a time more exact than a poll's milliseconds.
final class ExactTimer {
  /// From here on, a poll's own limit is exact enough.
  private static let near: UInt64 = 50_000_000

  private let descriptor = garland_timerfd()

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Makes the descriptor readable from a time on. Returns nil if the time is far away.
  ///
  /// - Parameters:
  ///   - due: the time, in nanoseconds.
  ///   - now: the current time.
  func set(to due: UInt64, from now: UInt64) -> Int32? {
    guard descriptor >= 0, due > now, due - now < Self.near else { return nil }
    garland_timerfd_set(descriptor, due)
    return descriptor
  }
}
