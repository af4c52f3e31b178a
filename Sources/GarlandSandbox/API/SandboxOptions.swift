import Glibc

/// The limits of a sandbox, and its sources of time and randomness.
package struct SandboxOptions: Sendable {
  /// The maximum number of open connections. Further connections receive a response with the status 503 and are closed. Default: 1,000.
  package var connectionLimit = 1_000
  /// The maximum number of requests in ``Sandbox/records``; older records are removed. Default: 20,000.
  package var recordLimit = 20_000
  /// The maximum number of bytes that are kept of a request's body. Routes such as `/anything` show only the kept bytes in their response.
  /// The size and digest always include the whole body. Default: 1 MiB.
  package var keptBodyLimit = 1 << 20
  /// The time after which a connection without any data is closed. Default: 75 seconds.
  package var idleTimeout: Duration = .seconds(75)
  /// The seed of tokens and UUIDs: the same seed results in the same values in the same order. Default: a random seed.
  package var seed = UInt64.random(in: 0...UInt64.max)
  /// Returns the time of a monotonic clock, for timestamps and the expiry of tokens.
  package var clock: @Sendable () -> Duration = SystemClocks.monotonic
  /// Returns the current time in seconds since 1970, UTC, for `Date` fields.
  package var date: @Sendable () -> Int = SystemClocks.secondsSince1970

  /// Creates options with the default values.
  package init() {}
}

/// The numbers of TCP connections: those that a sandbox has accepted, those that it has rejected, and those that are open now.
package struct SandboxConnections: Hashable, Sendable {
  /// The number of connections that are open now.
  package internal(set) var open = 0
  /// The maximum number of connections that were open at the same time.
  package internal(set) var peak = 0
  /// The number of connections accepted since the start.
  package internal(set) var accepted = 0
  /// The number of connections that were rejected with a 503, because ``SandboxOptions/connectionLimit`` connections were open.
  package internal(set) var refused = 0
}

/// The machine's own clocks, which a sandbox uses by default.
enum SystemClocks {
  private static let start = ContinuousClock.now

  @Sendable static func monotonic() -> Duration { ContinuousClock.now - start }

  @Sendable static func secondsSince1970() -> Int { time(nil) }
}
