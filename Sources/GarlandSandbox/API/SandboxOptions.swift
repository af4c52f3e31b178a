/// The limits of a sandbox, and where it gets its time and its randomness from.
public struct SandboxOptions: Sendable {
  /// How many connections may be open at once; more are answered 503 and closed. 1,000 by default.
  public var connectionLimit = 1_000
  /// How many requests ``Sandbox/records`` holds before the oldest are forgotten. 20,000 by default.
  public var recordLimit = 20_000
  /// How many bytes of a request's body are kept for the echo; all of it is counted and digested. 1 MiB by default.
  public var keptBodyLimit = 1 << 20
  /// How long a connection may be silent before it is closed. 75 seconds by default.
  public var idleTimeout: Duration = .seconds(75)
  /// The seed of tokens and UUIDs: the same seed gives the same ones in the same order. By default
  /// a different one each time.
  public var seed = UInt64.random(in: 0...UInt64.max)
  /// A monotonic clock, for timestamps and the expiry of tokens.
  public var clock: @Sendable () -> Duration = SystemClocks.monotonic
  /// Seconds since 1970 in UTC, for `Date` fields.
  public var date: @Sendable () -> Int = SystemClocks.secondsSince1970

  /// The defaults.
  public init() {}
}
