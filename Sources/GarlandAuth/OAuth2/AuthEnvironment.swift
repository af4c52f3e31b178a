import GarlandCrypto
import GarlandText
import Glibc

/// Functions of the system that the authentication needs: clock, sleep, random bytes, and the registration of secrets that must be masked
/// in output. They are closures, so that tests can replace them.
public struct AuthEnvironment: Sendable {
  /// The closure that returns the time in seconds since 1970.
  public var now: @Sendable () -> Double
  /// The closure that waits for a duration. The closure throws an error when the task is cancelled.
  public var sleep: @Sendable (Duration) async throws -> Void
  /// The closure that returns the given number of unpredictable bytes.
  public var randomBytes: @Sendable (Int) throws(CryptoError) -> [UInt8]
  /// The closure that receives every token, code, verifier and assertion before it is sent or shown. The caller can then mask it in output.
  public var registerSecret: @Sendable (String) -> Void

  /// Creates an environment. By default, it uses the system's clock and random numbers, and ``registerSecret`` does nothing.
  public init(
    now: @escaping @Sendable () -> Double = AuthEnvironment.systemTime,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    randomBytes: @escaping @Sendable (Int) throws(CryptoError) -> [UInt8] = { (count) throws(CryptoError) in try SecureRandom.bytes(count)
    },
    registerSecret: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.now = now
    self.sleep = sleep
    self.randomBytes = randomBytes
    self.registerSecret = registerSecret
  }

  /// Returns the time of the system's clock, in seconds since 1970.
  @Sendable public static func systemTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Returns an unpredictable text: `count` bytes in base64url.
  func randomText(_ count: Int) throws(OAuthError) -> String {
    do throws(CryptoError) {
      return Base64URL.encode(try randomBytes(count))
    } catch {
      throw .key("\(error)")
    }
  }
}
