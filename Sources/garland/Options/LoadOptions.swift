import ArgumentParser
import GarlandJSON
import GarlandResults
import GarlandWorkflow

/// The options of a load test. Any of these options turns a run into a load test.
struct LoadOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Send load: start this many repetitions a second, such as 200/s, even while earlier ones run.", valueName: "number/s"))
  var rate: RateArgument?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Send load: this many users repeat the run. With --rate: the limit of simultaneous repetitions. Default: \(defaultUsers), with --rate \(defaultUsersWithRate).",
      valueName: "count"))
  var users: Int?

  @Option(name: .long, help: ArgumentHelp("Send load for this long, such as 60s.", valueName: "duration"))
  var duration: DurationArgument?

  @Option(
    name: .long, help: ArgumentHelp("Increase the rate or the number of users evenly during this time.", valueName: "duration"))
  var ramp: DurationArgument?

  @Option(
    name: .customLong("expect"),
    help: ArgumentHelp(
      "Exit with status 1 unless the load meets this limit, such as 'p95 < 300ms', 'login.p99 < 1s' or 'errors < 1%'. May be repeated.",
      valueName: "expectation"), completion: .custom(Completion.expectations))
  var expectations: [String] = []

  static let defaultUsers = 1
  static let defaultUsersWithRate = 100
  /// The maximum number of concurrent users. A machine does not have enough ports for more.
  private static let mostUsers = 60_000
  /// The maximum duration of a load test. A longer one is a mistake, and reports can't contain it.
  static let longest = (duration: Duration.seconds(10_000 * 86_400), words: "10000d")

  /// Whether the run is a load test.
  var sendsLoad: Bool { rate != nil || users != nil || duration != nil || ramp != nil || !expectations.isEmpty }

  /// The number of users, as the shards of a load test compare it; empty for any other run. The other settings of a load are in its report.
  var words: String { settings(repetitions: nil).map { " --users \($0.users)" } ?? "" }

  func validate() throws {
    if let users, !(1...Self.mostUsers ~= users) { throw ValidationError("--users must be from 1 to \(Self.mostUsers).") }
    if let duration, duration.duration <= .zero { throw ValidationError("--duration must be longer than 0s.") }
    for (name, time) in [("--duration", duration), ("--ramp", ramp)] {
      if let time, time.duration > Self.longest.duration { throw ValidationError("\(name) must be at most \(Self.longest.words).") }
    }
    if let ramp, let duration, ramp.duration > duration.duration {
      throw ValidationError("--ramp must be at most as long as --duration: the load would end before it has its full size.")
    }
  }

  /// Returns the settings of the load test; nil for any other run.
  ///
  /// - Parameter repetitions: the value of `--repeat`.
  func settings(repetitions: Int?) -> LoadSettings? {
    guard sendsLoad else { return nil }
    return LoadSettings(
      rate: rate?.perSecond, users: users ?? (rate == nil ? Self.defaultUsers : Self.defaultUsersWithRate), repetitions: repetitions,
      duration: duration?.duration, ramp: ramp?.duration ?? .zero)
  }
}

/// A number of repetitions per unit of time: `200/s`, `30/m`, `1000/h`.
struct RateArgument: ExpressibleByArgument {
  /// The maximum number before the `/` of a rate such as `100/s`.
  private static let most = 1_000_000
  /// The lowest rate in repetitions per second: about one a day. The time of a repetition is computed by a division by the rate.
  private static let least = 0.05 / 3_600

  let perSecond: Double

  init?(argument: String) {
    guard let (number, perSecond) = Self.read(argument), number <= Double(Self.most), perSecond >= Self.least else { return nil }
    self.perSecond = perSecond
  }

  /// Returns the number before the `/`, and the rate in repetitions per second; nil if a text is not a positive rate.
  private static func read(_ text: String) -> (number: Double, perSecond: Double)? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Double(parts[0]), number > 0, let seconds = ["s": 1.0, "m": 60, "h": 3_600][String(parts[1])]
    else { return nil }
    return (number, number / seconds)
  }

  /// Returns an explanation for an invalid value of `--rate`; nil if `message`, the error message of the argument parser, is not about
  /// `--rate`.
  static func explanation(of message: String) -> String? {
    guard message.hasPrefix("The value "), message.contains(" is invalid for '--rate ") else { return nil }
    let value = message.split(separator: "'", omittingEmptySubsequences: false).dropFirst().first.map(String.init) ?? ""
    if let number = value.split(separator: "/").first.flatMap({ Double($0) }), number > Double(most) {
      return "the number is at most \(most), such as `--rate \(most)/s`"
    }
    if let rate = read(value), rate.perSecond < least { return "the lowest rate is `--rate 0.05/h`" }
    return Double(value).map { $0 > 0 } == true ? "write `--rate \(value)/s`" : "write a rate such as `--rate 200/s`, `30/m` or `1000/h`"
  }
}

/// A duration in the form of the workflow language: `250ms`, `10s`, `5m`, `1h`.
struct DurationArgument: ExpressibleByArgument {
  /// The longest duration in whole days whose number of nanoseconds fits into an `Int64`.
  private static let longest = "106751d"

  let duration: Duration

  init(_ duration: Duration) { self.duration = duration }

  init?(argument: String) {
    guard let duration = Duration(workflowText: argument) else { return nil }
    self.duration = duration
  }

  /// Returns advice such as "write `30s`" for the invalid duration in `message`, an error message of the argument parser. Returns nil if
  /// the message is about another kind of value, or if there is no advice.
  static func suggestion(for message: String) -> String? {
    let parts = message.split(separator: "'", omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[0] == "The value ", parts[2] == " is invalid for ", parts[3].hasSuffix(" <duration>") else { return nil }
    let text = parts[1]
    let digits = text.prefix { $0.isNumber || $0 == "." }
    if Duration(workflowText: "1\(text.dropFirst(digits.count))") != nil, let number = Double(digits), number > 1_000 {
      let isOfLoad = parts[3].hasPrefix("--duration ") || parts[3].hasPrefix("--ramp ")
      return "the longest duration is `\(isOfLoad ? LoadOptions.longest.words : longest)`"
    }
    let durations = SettingMistake.durations(.string(String(text)))
    return durations.isEmpty ? nil : "write " + durations.map { "`\($0)`" }.joined(separator: " or ")
  }
}
