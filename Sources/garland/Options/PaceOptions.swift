import ArgumentParser
import GarlandRunner

/// The options for the order of the steps, for the number of steps that run at the same time, and for the early end of the run.
struct PaceOptions: ParsableArguments {
  static let defaultConcurrency = 16
  static let defaultPerOrigin = 6
  static let mostEngines = 64

  @Option(
    name: [.customShort("j"), .long],
    help: ArgumentHelp("The number of transfers at once. Default: \(defaultConcurrency).", valueName: "count"))
  var concurrency: Int?
  @Option(name: .customLong("per-origin"), help: ArgumentHelp("The number of transfers at once to one origin.", valueName: "count"))
  var perOrigin = defaultPerOrigin
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The number of sending threads. All requests to one origin use the same thread. Default: 1. In a load test without --rate, each thread has a part of the users. Default: the number of processors.",
      valueName: "count"))
  var engines: Int?
  @Flag(name: .long, help: "Run one step at a time.") var serial = false
  @Option(name: .long, help: ArgumentHelp("Run in a random valid order, by this seed or `random`.", valueName: "seed"))
  var shuffle: ShuffleSeed?
  @Option(name: .long, help: ArgumentHelp("The seed of generated data, such as that of `fake_name()`.", valueName: "number"))
  var seed: UInt64?
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Start the longest paths first, by the durations in this earlier JSON report. Default: the report that this run replaces.",
      valueName: "report"), completion: .file(extensions: ["json"]))
  var from: String?
  @Flag(name: .customLong("fail-fast"), help: "Start no further step after the first failure.") var failFast = false
  @Option(name: .customLong("max-failures"), help: ArgumentHelp("Start no further step after this many failures.", valueName: "count"))
  var maxFailures: Int?
  @Option(name: .long, help: ArgumentHelp("The time limit of the whole run, such as 5m.", valueName: "duration")) var deadline:
    DurationArgument?

  func validate() throws {
    if concurrency.map({ $0 < 1 }) ?? false || perOrigin < 1 { throw ValidationError("--concurrency and --per-origin must be at least 1.") }
    if let engines, !(1...Self.mostEngines).contains(engines) { throw ValidationError("--engines must be from 1 to \(Self.mostEngines).") }
    if let maxFailures, maxFailures < 1 { throw ValidationError("--max-failures must be at least 1.") }
    if failFast, maxFailures != nil { throw ValidationError("--fail-fast is --max-failures 1: give one of them.") }
    if let seed, seed > UInt64(Int64.max) { throw ValidationError("--seed must be at most \(Int64.max).") }
    if let shuffle, shuffle.value > UInt64(Int64.max) { throw ValidationError("--shuffle must be at most \(Int64.max).") }
    if serial, shuffle != nil { throw ValidationError("--serial and --shuffle can't be combined.") }
  }

  /// Copies the values of these options, except the number of concurrent transfers, to a run's configuration.
  func apply(to configuration: inout RunConfiguration) {
    configuration.pace.perOrigin = perOrigin
    configuration.pace.isSerial = serial
    configuration.pace.shuffleSeed = shuffle?.value
    // A random seed has at most six digits, so that users can type it again.
    configuration.values.seed = seed ?? UInt64.random(in: 1...999_999)
    configuration.pace.maxFailures = failFast ? 1 : maxFailures
    configuration.pace.deadline = deadline?.duration
  }
}

/// The seed of `--shuffle`: a number, or `random` for a seed that this command chooses at random.
struct ShuffleSeed: ExpressibleByArgument {
  let value: UInt64
  /// Whether the seed was chosen at random, so that the user does not know it.
  let isRandom: Bool

  init?(argument: String) {
    if argument == "random" {
      // The seed is short enough to be typed again.
      value = UInt64.random(in: 1...999_999)
      isRandom = true
    } else if let number = UInt64(argument) {
      value = number
      isRandom = false
    } else {
      return nil
    }
  }
}
