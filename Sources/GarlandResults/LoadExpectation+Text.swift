public import GarlandDiagnostics
import GarlandText

extension LoadExpectation {
  /// A mistake in the text of an expectation, with its position and a correction.
  public struct Mistake: Error, Sendable {
    /// The diagnostic that describes the mistake.
    public let diagnostic: Diagnostic
  }

  /// The names of the quantities that an expectation can limit, except percentiles such as `p95`.
  private static let metrics: KeyValuePairs<String, Metric> = [
    "min": .min, "mean": .mean, "max": .max, "errors": .errors, "rate": .rate, "late": .late,
  ]

  /// Parses an expectation.
  ///
  /// - Parameters:
  ///   - text: the expectation, such as `login.p95 < 300ms`.
  ///   - steps: the ids of the plan's steps, in plan order.
  ///   - files: the names of the steps' files, in the order of `steps`. Needed only for expectations that name a file, such as
  ///     `books.yaml#create.p95 < 300ms`.
  ///   - hasRate: whether the load has a rate. Without a rate, the metric `late` is not measured and can't be limited. Default: true.
  ///   - isRecorded: whether the text comes from a report. If true, a share of more than 100% is allowed, since earlier versions of Garland
  ///     accepted it. Default: false.
  public init(
    _ text: String, steps: [String], files: [String] = [], hasRate: Bool = true, isRecorded: Bool = false
  ) throws(Mistake) {
    var reader = Reader(text, steps, files, largestShare: isRecorded ? .infinity : 100)
    let (step, metric, name) = try reader.figure(hasRate: hasRate)
    let comparison = try reader.comparison()
    limit = try reader.limit(of: metric, name)
    self.step = step
    self.metric = metric
    self.comparison = comparison
    self.text = text
  }

  /// Parses the text of an expectation from left to right.
  private struct Reader {
    let file: SourceFile
    let steps: [String]
    let files: [String]
    /// The largest valid share in per cent.
    let largestShare: Double
    private var place = 0

    init(_ text: String, _ steps: [String], _ files: [String], largestShare: Double) {
      file = SourceFile(name: "--expect", bytes: Array(text.utf8))
      self.steps = steps
      self.files = files.count == steps.count ? files : steps.map { _ in "" }
      self.largestShare = largestShare
    }

    /// Returns the indexes of the steps with the given name. The name is an id with or without a file: `create`, `books.yaml#create`.
    private func places(of name: String) -> [Int] {
      guard let hash = name.lastIndex(of: "#") else { return steps.indices.filter { steps[$0] == name } }
      let id = String(name[name.index(after: hash)...])
      let owner = "/\(name[..<hash])"
      return steps.indices.filter { steps[$0] == id && "/\(files[$0])".hasSuffix(owner) }
    }

    /// Returns the name of a step with its file, such as `books.yaml#create`.
    private func longName(_ index: Int) -> String {
      let file = files[index]
      return (file.lastIndex(of: "/").map { String(file[file.index(after: $0)...]) } ?? file) + "#" + steps[index]
    }

    private static func isOperator(_ byte: UInt8) -> Bool { "<>=!".utf8.contains(byte) }

    /// Skips spaces, and returns the following bytes that satisfy `isPart`.
    private mutating func take(while isPart: (UInt8) -> Bool) -> (text: String, range: SourceRange) {
      while place < file.bytes.count, file.bytes[place].isBlank { place += 1 }
      let start = place
      while place < file.bytes.count, isPart(file.bytes[place]) { place += 1 }
      let range = SourceRange(file, start..<Swift.max(place, Swift.min(start + 1, file.bytes.count)))
      return (String(decoding: file.bytes[start..<place], as: UTF8.self), range)
    }

    private func mistake(
      _ message: String, _ range: SourceRange, _ help: String, fix replacement: String? = nil
    ) -> Mistake {
      Mistake(
        diagnostic: Diagnostic("bad-expectation", message, at: range).help(help, fix: replacement.map { Diagnostic.Fix(range, $0) }))
    }

    mutating func figure(hasRate: Bool) throws(Mistake) -> (step: Int?, metric: Metric, name: String) {
      let (text, range) = take { !$0.isBlank && !Self.isOperator($0) }
      guard !text.isEmpty else {
        throw mistake("the metric is missing", range, "write a metric with its limit, such as `p95 < 300ms` or `errors < 1%`")
      }
      guard let dot = dot(in: text) else {
        let metric = try metric(text, range)
        guard metric != .late || hasRate else {
          throw mistake("`late` is not measured without `--rate`", range, "give the load a rate, such as `--rate 200/s`")
        }
        return (nil, metric, text)
      }
      let id = String(text[..<dot])
      let start = range.offsets.lowerBound
      let idRange = SourceRange(file, start..<(start + id.utf8.count))
      let found = places(of: id)
      guard let step = found.first else {
        let near = Suggestion.nearest(to: id, in: id.contains("#") ? steps.indices.map { longName($0) } : steps)
        throw mistake(
          "there is no step `\(id)` in this run", idRange, near.map { "did you mean `\($0)`?" } ?? "`garland list` shows the steps",
          fix: near)
      }
      guard found.count == 1 else {
        let name = id.contains("#") ? "\(files[step])#\(steps[step])" : longName(step)
        throw mistake("several documents have a step `\(id)`", idRange, "name its document, too: `\(name)\(text[dot...])`")
      }
      let name = String(text[text.index(after: dot)...])
      let nameRange = SourceRange(file, (start + id.utf8.count + 1)..<range.offsets.upperBound)
      let metric = try metric(name, nameRange)
      guard metric != .late else {
        throw mistake(
          "`late` is a metric of the whole run, not of a step", SourceRange(file, start..<range.offsets.upperBound), "write `late`",
          fix: "late")
      }
      return (step, metric, name)
    }

    /// Returns the index of the dot between the name of a step and a quantity, as in `login.p95`. The quantity may contain a dot too:
    /// `login.p99.9`.
    private func dot(in text: String) -> String.Index? {
      guard let last = text.lastIndex(of: ".") else { return nil }
      let rest = text[text.index(after: last)...]
      let isFraction = !rest.isEmpty && rest.allSatisfy(\.isNumber)
      guard isFraction else { return last }
      return text[..<last].lastIndex(of: ".")
    }

    private func metric(_ name: String, _ range: SourceRange) throws(Mistake) -> Metric {
      for (known, metric) in LoadExpectation.metrics where known == name { return metric }
      if name.first == "p", let percent = Double(name.dropFirst()) {
        guard percent > 0, percent <= 100 else {
          throw mistake("there is no percentile \(name.dropFirst())", range, "write one from p1 to p100", fix: "p99")
        }
        return .percentile(percent)
      }
      let near = Suggestion.nearest(to: name, in: LoadExpectation.metrics.map(\.key) + ["p50", "p90", "p95", "p99", "p99.9"])
      throw mistake(
        name.isEmpty ? "the name of the metric is missing" : "unknown metric `\(name)`", range,
        near.map { "did you mean `\($0)`?" } ?? "write p95 or another percentile, min, mean, max, errors, rate or late", fix: near)
    }

    mutating func comparison() throws(Mistake) -> Comparison {
      let (text, range) = take(while: Self.isOperator)
      if let comparison = Comparison(rawValue: text) { return comparison }
      let fix = ["=<": "<=", "=>": ">=", "==": "<=", "=": "<="][text]
      throw mistake(
        text.isEmpty ? "the comparison operator is missing" : "unknown comparison operator `\(text)`", range, "write one of <, <=, >, >=",
        fix: fix)
    }

    /// The units of a limit. A space may separate a unit from its number, as in `5 %`.
    private static let units = ["us", "ms", "s", "m", "h", "%", "/s", "/m", "/h"]

    mutating func limit(of metric: Metric, _ name: String) throws(Mistake) -> Limit {
      var (text, range) = take { !$0.isBlank }
      let end = place
      let next = take { !$0.isBlank }
      if Self.units.contains(next.text), text.last?.isNumber == true {
        (text, range) = (text + next.text, SourceRange(file, range.offsets.lowerBound..<next.range.offsets.upperBound))
      } else {
        place = end
      }
      let rest = take { _ in true }
      guard rest.text.isEmpty else {
        throw mistake("unexpected text `\(rest.text)` after the limit", rest.range, "write one `--expect` for each expectation")
      }
      let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      let unit = String(text.dropFirst(digits.count))
      guard let number = Double(digits), number.isFinite, number < 1e12 else {
        throw mistake(text.isEmpty ? "the limit is missing" : "`\(text)` is not a valid limit", range, Self.example(metric, name, "300"))
      }
      switch metric {
      case .percentile, .min, .mean, .max:
        let nanoseconds: [String: Double] = ["us": 1e3, "ms": 1e6, "s": 1e9, "m": 60e9, "h": 3_600e9]
        guard let scale = nanoseconds[unit] else {
          let fix = unit.isEmpty ? "\(digits)ms" : nil
          throw mistake(unit.isEmpty ? "the time has no unit" : "unknown unit `\(unit)`", range, "write us, ms, s, m or h", fix: fix)
        }
        return .time(.nanoseconds(Int64(Swift.min(number * scale, 1e18))))
      case .errors, .late:
        if unit == "%" {
          guard number <= largestShare else {
            throw mistake("`\(text)` is more than 100%", range, "write a share of at most 100%, or a number")
          }
          return .percent(number)
        }
        guard unit.isEmpty else {
          throw mistake("`\(name)` can't have the unit `\(unit)`", range, "write a number, or a share such as 1%", fix: "\(digits)%")
        }
        return .count(number)
      case .rate:
        guard let seconds = ["/s": 1.0, "/m": 60, "/h": 3_600][unit] else {
          // The number with another unit, such as `120/min`, would be another rate.
          let fix = unit.isEmpty ? "\(digits)/s" : nil
          throw mistake("a rate needs the unit `/s`, `/m` or `/h`", range, fix.map { "write \($0)" } ?? "write /s, /m or /h", fix: fix)
        }
        return .perSecond(number / seconds)
      }
    }

    private static func example(_ metric: Metric, _ name: String, _ number: String) -> String {
      switch metric {
      case .percentile, .min, .mean, .max: "write a time, such as `\(name) < 300ms`"
      case .errors, .late: "write a number or a share, such as `\(name) < 1%`"
      case .rate: "write a rate, such as `\(name) >= 190/s`"
      }
    }
  }

  /// Returns the measured value that the expectation limits, as text such as `412 ms` or `0.3 %`; nil if nothing was measured.
  ///
  /// - Parameter time: formats a duration.
  public func actualText(in load: RunLoad, time: (Duration) -> String) -> String? {
    actual(in: load).map { actual in
      switch limit {
      case .time: time(.microseconds(Int64(actual)))
      case .count: "\(Int(actual))"
      case .percent: "\(Self.short(actual)) %"
      case .perSecond: "\(Self.short(actual))/s"
      }
    }
  }

  /// Formats a number below 1 with two significant digits, such as `0.4` or `0.00028`, so that a small number does not become 0.
  package static func small(_ number: Double) -> String {
    var decimals = 2
    var scale = 100.0
    while number * scale < 10, decimals < 12 {
      decimals += 1
      scale *= 10
    }
    let rounded = Int((number * scale).rounded())
    var digits = "\(rounded % Int(scale))"
    digits = String(repeating: "0", count: decimals - digits.count) + digits
    while digits.last == "0" { digits.removeLast() }
    let whole = rounded / Int(scale)
    return digits.isEmpty ? "\(whole)" : "\(whole).\(digits)"
  }

  /// Formats a number with at most three decimals, or with two significant digits.
  private static func short(_ number: Double) -> String {
    if number < 0.01 { return small(number) }
    let thousandths = Int((number * 1_000).rounded())
    var digits = String(thousandths % 1_000 + 1_000).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return digits.isEmpty ? "\(thousandths / 1_000)" : "\(thousandths / 1_000).\(digits)"
  }
}
