/// The clock, random numbers, files and other external data that expressions use. The caller passes them in, so that a test can replace
/// them.
public struct EvaluationServices: Sendable {
  /// The value of `run.id` in expressions.
  public package(set) var runID: RunID
  /// The value of `run.iteration` in expressions: the number of the current repetition of the run, from 1. In a load test, the repetitions
  /// of each user are counted separately.
  public package(set) var iteration: Int
  /// The registry to which evaluation adds every secret value, so that output can mask it.
  public package(set) var secrets: any SecretRegistry
  /// Returns the current time for `now()`: seconds since 1970, UTC.
  public let now: @Sendable () -> Double
  /// Returns a random number from the whole range of `UInt64`, for `random` and `uuid()`.
  public var random: @Sendable () -> UInt64
  /// The seed of generated test data. Default: 0.
  public var seed: UInt64 = 0
  /// The files that the function `file(path)` can read.
  public let files: FileAccess
  /// The absolute path of the folder to which the paths in `file(path)` are relative: ``Workflow/directory``.
  public var directory: String

  /// Derives a new seed from a seed. Equal arguments give equal seeds.
  ///
  /// - Parameters:
  ///   - use: the purpose of the new seed.
  ///   - numbers: numbers that distinguish seeds with the same purpose.
  package static func seed(_ seed: UInt64, for use: String, _ numbers: UInt64...) -> UInt64 {
    var data = FakeData(seed: seed, use.utf8.map(UInt64.init) + numbers)
    return data.next()
  }

  /// Creates the services for expressions, such as the clock, the random numbers and the access to files. Each parameter sets the property
  /// with the same name. The property ``seed`` has its default value.
  public init(
    runID: RunID, iteration: Int = 1, secrets: any SecretRegistry, now: @escaping @Sendable () -> Double,
    random: @escaping @Sendable () -> UInt64,
    files: FileAccess, directory: String
  ) {
    self.runID = runID
    self.iteration = iteration
    self.secrets = secrets
    self.now = now
    self.random = random
    self.files = files
    self.directory = directory
  }
}

/// The identifier of a run. Names that contain it, such as names of data on a server, are different in each run.
public struct RunID: Sendable, ExpressibleByStringLiteral {
  /// The identifier of the first run in a series of runs.
  package let first: String
  /// The number of the run in its series of runs; nil for the first run.
  private var iteration: Int?

  /// Creates the identifier of the first run in a series.
  public init(_ text: String) { first = text }

  /// Creates the identifier of the first run in a series.
  public init(stringLiteral text: String) { self.init(text) }

  /// Returns the identifier of the run with the number `iteration` in the same series.
  package func again(_ iteration: Int) -> RunID {
    var id = self
    id.iteration = iteration
    return id
  }

  /// The identifier as text, such as `3f9c2ab10d7e` for the first run of a series, and `3f9c2ab10d7e-2` for the second.
  public var text: String { iteration.map { "\(first)-\($0)" } ?? first }
}
