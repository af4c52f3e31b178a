import GarlandCrypto
import Glibc

/// The sources of time and randomness, and the registry of secrets.
public struct AuthEnvironment: Sendable {
  /// Seconds since 1970.
  public var now: @Sendable () -> Double
  /// Waits; throws when the task is cancelled.
  public var sleep: @Sendable (Duration) async throws -> Void
  /// Returns unpredictable bytes.
  public var randomBytes: @Sendable (Int) throws(CryptoError) -> [UInt8]
  /// Receives every token, code, verifier and assertion as soon as it exists, before it is sent or
  /// shown.
  public var registerSecret: @Sendable (String) -> Void

  /// Creates an environment. By default it uses the system, and registers no secrets.
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

  /// Returns the time of the system's clock.
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
