import ArgumentParser
import GarlandRunner

/// The options for the order of the steps, for how many run at once, and for when the run ends early.
struct PaceOptions: ParsableArguments {
  static let defaultConcurrency = 16
  static let defaultPerOrigin = 6
  static let defaultEngines = 1

  @Option(name: [.customShort("j"), .long], help: ArgumentHelp("Transfers at once. Default: \(defaultConcurrency).", valueName: "count"))
  var concurrency: Int?
  @Option(name: .customLong("per-origin"), help: ArgumentHelp("Transfers at once to one origin.", valueName: "count")) var perOrigin =
    defaultPerOrigin
  @Option(
    name: .long,
    help: ArgumentHelp("Threads that send; the requests to one origin are all on one of them.", valueName: "count"))
  var engines = defaultEngines
  @Flag(name: .long, help: "One step after another.") var serial = false
  @Option(name: .long, help: ArgumentHelp("A random valid order, the same for the same seed; or `random`.", valueName: "seed"))
  var shuffle: ShuffleSeed?
  @Option(name: .long, help: ArgumentHelp("Make the data of `fake_name()` and the like that this seed makes.", valueName: "number"))
  var seed: UInt64?
  @Flag(name: .customLong("fail-fast"), help: "Start nothing new after the first failure.") var failFast = false
  @Option(name: .customLong("max-failures"), help: ArgumentHelp("Start no further step after this many failures.", valueName: "count"))
  var maxFailures: Int?
  @Option(name: .long, help: ArgumentHelp("The time for the whole run, such as 5m.", valueName: "duration")) var deadline: DurationArgument?

  func validate() throws {
    if concurrency.map({ $0 < 1 }) ?? false || perOrigin < 1 { throw ValidationError("--concurrency and --per-origin must be at least 1.") }
    if !(1...64).contains(engines) { throw ValidationError("--engines must be from 1 to 64.") }
    if let maxFailures, maxFailures < 1 { throw ValidationError("--max-failures must be at least 1.") }
    if failFast, maxFailures != nil { throw ValidationError("--fail-fast is --max-failures 1: give one of them.") }
    if let seed, seed > UInt64(Int64.max) { throw ValidationError("--seed must be at most \(Int64.max).") }
    if serial, shuffle != nil { throw ValidationError("--serial and --shuffle contradict each other.") }
  }

  /// Sets everything that these options determine, except the number of transfers at once.
  func apply(to configuration: inout RunConfiguration) {
    configuration.perOrigin = perOrigin
    configuration.isSerial = serial
    configuration.shuffleSeed = shuffle?.value
    // As short as one that can be typed again.
    configuration.seed = seed ?? UInt64.random(in: 1...999_999)
    configuration.maxFailures = failFast ? 1 : maxFailures
    configuration.deadline = deadline?.duration
  }
}
