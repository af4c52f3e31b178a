import CCurl
import Glibc

/// A timer descriptor (timerfd) that ends a call of poll(2) more precisely than the timeout of poll(2), which is in milliseconds.
final class ExactTimer {
  /// The maximum wait, in nanoseconds, for which the timer's descriptor is used. For longer waits, the timeout of `poll` is precise enough.
  private static let near: UInt64 = 50_000_000

  private let descriptor = garland_timerfd()

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Sets the timer so that its descriptor becomes readable at `due`, and returns the descriptor.
  ///
  /// Returns nil if `due` has passed, or is so far away that a timeout in milliseconds is precise enough.
  ///
  /// - Parameters:
  ///   - due: The time in nanoseconds.
  ///   - now: The current time in nanoseconds.
  func set(to due: UInt64, from now: UInt64) -> Int32? {
    guard descriptor >= 0, due > now, due - now < Self.near else { return nil }
    garland_timerfd_set(descriptor, due)
    return descriptor
  }
}
