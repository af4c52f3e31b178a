/// The clock, random numbers and files that expressions use. They are injected, so that a test can replace them.
public struct EvaluationServices: Sendable {
  /// The value of `run.id` in expressions: an identifier of the run.
  public package(set) var runID: String
  /// The value of `run.iteration` in expressions: the number of the iteration.
  public package(set) var iteration: Int
  /// The registry that receives all values of secrets, so that they can be masked.
  public package(set) var secrets: any SecretRegistry
  /// Returns the current time for `now()`: seconds since 1970, UTC.
  public let now: @Sendable () -> Double
  /// Returns a random number from the whole range of `UInt64`, for `random` and `uuid()`.
  public var random: @Sendable () -> UInt64
  /// The seed of generated test data. Default: 0.
  public var seed: UInt64 = 0
  /// The files that the function `file(path)` can read.
  public let files: FileAccess
  /// The absolute path of the folder to which relative paths are relative: ``Workflow/directory``.
  public var directory: String

  /// Derives a seed from another seed, from the purpose of the new seed, and from numbers that distinguish seeds with the same purpose.
  package static func seed(_ seed: UInt64, for use: String, _ numbers: UInt64...) -> UInt64 {
    var data = FakeData(seed: seed, use.utf8.map(UInt64.init) + numbers)
    return data.next()
  }

  /// Creates the clock, the random numbers and the files for expressions. Each parameter sets the property with the same name. The property
  /// ``seed`` has its default value.
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
