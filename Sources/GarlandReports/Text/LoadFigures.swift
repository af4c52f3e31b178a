import GarlandResults

/// Formats the measurements of a load test as sentences and as a table.
package struct LoadFigures {
  let load: RunLoad
  let steps: [StepIdentity]
  let label: StepLabel

  /// The column titles of the table of measurements.
  static let columns = ["step", "count", "failed", "p50", "p90", "p95", "p99", "p99.9", "max"]
  private static let percents: [Double] = [50, 90, 95, 99, 99.9]

  /// Describes the settings of a load test in words, such as `100/s by at most 20 users, for 30.0 s`.
  static func plan(_ settings: LoadSettings) -> String {
    var words = settings.rate.map { "\(number($0))/s by at most" } ?? "by"
    words += " \(Readable.count(settings.users, "user"))"
    if let repetitions = settings.repetitions { words += ", \(Readable.count(repetitions, "repetition"))" }
    if let duration = settings.duration { words += ", for \(Readable.duration(duration))" }
    if settings.ramp > .zero { words += ", ramp of \(Readable.duration(settings.ramp))" }
    return words
  }

  /// Returns a sentence with the number of repetitions and requests, and the time that they took.
  static func summary(of load: RunLoad) -> String {
    var parts = [
      "\(Readable.count(load.ended, "repetition")) in \(Readable.duration(load.elapsed))",
      "\(number(load.perSecond(load.ended)))/s",
      "\(Readable.count(load.requests, "request")), \(number(load.perSecond(load.requests)))/s",
    ]
    if load.failed > 0 { parts.append("\(Readable.count(load.failed)) failed") }
    if load.cancelled > 0 { parts.append("\(Readable.count(load.cancelled)) cancelled") }
    if load.late > 0 { parts.append("\(Readable.count(load.late)) began late, by at most \(Readable.duration(load.latest))") }
    if endsDuringRamp(load) { parts.append("--repeat ended it during its ramp of \(Readable.duration(load.settings.ramp))") }
    return parts.joined(separator: "; ")
  }

  /// Returns whether the last repetition of a load test began before the load test had its full rate or all its users.
  private static func endsDuringRamp(_ load: RunLoad) -> Bool {
    let settings = load.settings
    guard settings.ramp > .zero, load.cancelled == 0, let repetitions = settings.repetitions, load.begun >= repetitions else {
      return false
    }
    // During the ramp, the rate grows evenly from 0.
    if let rate = settings.rate { return Double(repetitions) <= rate * (settings.ramp / .seconds(1)) / 2 }
    let lastUserBegins = settings.ramp * Double(settings.users - 1) / Double(settings.users)
    return repetitions < settings.users || load.elapsed < lastUserBegins
  }

  /// A sentence that explains from which moment response times are measured.
  var explanation: String {
    load.settings.rate == nil
      ? "A time starts when its request is ready to be sent, and ends when the response has been checked."
      : "A time starts when its repetition was scheduled to begin, so it includes the delay of a late repetition."
  }

  /// A row of the table of measurements.
  struct Row {
    /// The texts in the columns of ``LoadFigures/columns``.
    let cells: [String]
    /// Whether the row has failures that make the run fail: failures that neither `allow_failure` nor a quarantine permits.
    let hasFailed: Bool
  }

  /// The rows of the table: one row for each step and, if there are several steps, one row for all requests and one row for whole
  /// repetitions.
  ///
  /// Failures that `allow_failure` or a quarantine permits are counted only in the row of their step, where they are marked.
  var rows: [Row] {
    var rows = zip(steps, load.steps).enumerated().map { index, pair in
      let (step, own) = pair
      let isAllowed = load.allowsFailures(of: index)
      let word = step.quarantine == nil ? "allowed" : "quarantined"
      return row(
        label.name(step), own.ended, Self.share(own.failed, of: own.ended) + (isAllowed && own.failed > 0 ? " \(word)" : ""), own.latency,
        hasFailed: own.failed > 0 && !isAllowed)
    }
    if steps.count > 1 {
      let (count, hasFailed) = (load.steps.reduce(0) { $0 + $1.ended }, rows.contains(where: \.hasFailed))
      rows.append(row("(all requests)", count, Self.share(load.countedFailures, of: count), load.latency, hasFailed: hasFailed))
      rows.append(row("(repetition)", load.ended, Self.share(load.failed, of: load.ended), load.repetition, hasFailed: hasFailed))
    }
    return rows
  }

  private func row(_ name: String, _ count: Int, _ failed: String, _ times: LatencyHistogram, hasFailed: Bool) -> Row {
    let durations = Self.percents.map { times.percentile($0) } + [times.most]
    return Row(
      cells: [name, Readable.count(count), failed] + durations.map { times.count == 0 ? "-" : Self.time($0) }, hasFailed: hasFailed)
  }

  /// A line for each step with errors: its name, and its most frequent kinds of errors with their counts.
  var errors: [String] {
    zip(steps, load.steps).compactMap { step, load in
      let kinds = load.rankedErrors
      guard !kinds.isEmpty else { return nil }
      let words = kinds.prefix(5).map { "\(Readable.count($0.count)) × \(label.mask.line($0.kind))" }.joined(separator: ", ")
      return "\(label.name(step)): \(words)\(kinds.count > 5 ? " and \(kinds.count - 5) more kinds" : "")"
    }
  }

  /// An expectation of a load test, with the measured value as text.
  struct Expectation {
    /// The expectation as the user wrote it, with secrets masked.
    let text: String
    let actual: String
    let isMet: Bool

    /// The expectation and the measured value, such as `p95 < 300ms: 412 ms`.
    var words: String { "\(text): \(actual)" }
  }

  /// The expectations of the load test, each with the measured value.
  var expectations: [Expectation] { Self.expectations(of: load, label.mask) }

  static func expectations(of load: RunLoad, _ mask: Mask) -> [Expectation] {
    load.expectations.map { expectation in
      let actual = expectation.actualText(in: load, time: Self.time) ?? "nothing was measured"
      return Expectation(text: mask.line(expectation.text), actual: actual, isMet: expectation.isMet(by: load))
    }
  }

  /// Formats a time, such as `412 µs` or `1.23 ms`. Times below a tenth of a second have three digits, so that readers can compare them.
  package static func time(_ duration: Duration) -> String {
    let microseconds = Readable.microseconds(duration)
    if microseconds < 1_000 { return "\(max(0, microseconds)) µs" }
    if microseconds < 9_995 { return "\(hundredths(microseconds / 10)) ms" }
    if microseconds < 99_950 { return "\((microseconds + 50) / 1_000).\((microseconds + 50) / 100 % 10) ms" }
    return Readable.duration(duration)
  }

  private static func hundredths(_ number: Int) -> String { "\(number / 100).\(Readable.twoDigits(number % 100))" }

  /// Formats a rate. A small rate has one decimal, and a rate below 1 has two significant digits.
  static func number(_ rate: Double) -> String {
    if rate < 1 { return LoadExpectation.small(rate) }
    if rate >= 999.95 { return Readable.count(Int(rate.rounded())) }
    let tenths = Int((rate * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  private static func share(_ part: Int, of whole: Int) -> String {
    guard part > 0, whole > 0 else { return "0" }
    let hundredths = max(1, Int((Double(part) * 10_000 / Double(whole)).rounded()))
    return "\(Readable.count(part)) (\(Self.hundredths(hundredths)) %)"
  }
}
