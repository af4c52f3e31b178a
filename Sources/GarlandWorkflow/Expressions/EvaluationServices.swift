/// Clock, randomness and files for expressions: injected, so that a test can fix them.
public struct EvaluationServices: Sendable {
  /// `run.id`.
  public package(set) var runID: String
  /// `run.iteration`.
  public package(set) var iteration: Int
  /// The registry of all secrets.
  public package(set) var secrets: any SecretRegistry
  /// Seconds since 1970, UTC: for `now()`.
  public let now: @Sendable () -> Double
  /// A random number from all of `UInt64`: for `random` and `uuid()`.
  public var random: @Sendable () -> UInt64
  /// The seed of made-up data. Default: 0.
  public var seed: UInt64 = 0
  /// The files that `file(path)` reads.
  public let files: FileAccess
  /// The folder that relative paths start from: ``Workflow/directory``.
  public var directory: String

  /// A seed that follows from another one and from what tells its use from others.
  package static func seed(_ seed: UInt64, for use: String, _ numbers: UInt64...) -> UInt64 {
    var data = FakeData(seed: seed, use.utf8.map(UInt64.init) + numbers)
    return data.next()
  }

  /// Every property but the seed is a parameter; see there.
  public init(
    runID: String, iteration: Int = 1, secrets: any SecretRegistry, now: @escaping @Sendable () -> Double,
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
