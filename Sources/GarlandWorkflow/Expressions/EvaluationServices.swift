/// Clock, randomness and files for expressions: injected, so that a test can fix them.
public struct EvaluationServices: Sendable {
  /// `run.id`.
  public let runID: String
  /// Told of every secret.
  public let secrets: any SecretRegistry
  /// Seconds since 1970, UTC: for `now()`.
  public let now: @Sendable () -> Double
  /// A random number from all of `UInt64`: for `random` and `uuid()`.
  public var random: @Sendable () -> UInt64
  /// The files that `file(path)` reads.
  public let files: FileAccess
  /// The folder that relative paths start from: ``Workflow/directory``.
  public var directory: String

  /// Every property is a parameter; see there.
  public init(
    runID: String, secrets: any SecretRegistry, now: @escaping @Sendable () -> Double, random: @escaping @Sendable () -> UInt64,
    files: FileAccess, directory: String
  ) {
    self.runID = runID
    self.secrets = secrets
    self.now = now
    self.random = random
    self.files = files
    self.directory = directory
  }
}
