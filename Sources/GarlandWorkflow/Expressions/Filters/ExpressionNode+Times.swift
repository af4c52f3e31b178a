import GarlandJSON

extension ExpressionNode {
  func date(
    _ value: JSONValue, format: String, zone: String?, _ frame: EvaluationFrame, _ input: ExpressionNode, _ arguments: [ExpressionNode]
  ) throws(ExpressionFailure) -> JSONValue {
    var time = try timestamp(value, frame, input)
    if let zone { time.move(to: try rules(of: zone, arguments)) }
    switch format {
    case "iso": return .string(time.iso)
    case "http": return .string(time.http)
    case "unix": return JSONValue(time.seconds)
    case "unix_ms": return JSONValue(time.milliseconds)
    default:
      guard let text = time.format(format) else {
        throw .wrong(
          .wrongType, "`\(Words.excerpt(format))` is not a valid time format", at: range,
          help: "use `iso`, `http`, `unix`, `unix_ms`, or directives such as `%Y-%m-%d %H:%M:%S`")
      }
      return .string(text)
    }
  }

  func later(
    _ value: JSONValue, by text: String, _ frame: EvaluationFrame, _ input: ExpressionNode, _ arguments: [ExpressionNode]
  ) throws(ExpressionFailure) -> JSONValue {
    let isEarlier = text.hasPrefix("-")
    guard let duration = Duration(workflowText: isEarlier || text.hasPrefix("+") ? String(text.dropFirst()) : text) else {
      throw .wrong(
        .wrongType, "expected a duration such as `30s`, found \(Words.found(.string(text)))", at: arguments.first?.range ?? range,
        help: "units are `ms`, `s`, `m`, `h` and `d`; a minus goes back in time")
    }
    let (whole, attoseconds) = duration.components
    let nanoseconds = Int(whole) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    if case .number(let number) = value {
      // The result is in the same unit as the number: seconds or milliseconds.
      let isMilliseconds = Timestamp.areMilliseconds(number.doubleValue)
      let amount = isMilliseconds ? duration * 1000 : duration
      let (whole, attoseconds) = amount.components
      guard let step = JSONNumber("\(isEarlier ? "-" : "")\(whole).\(Self.nineDigits(Int(attoseconds / 1_000_000_000)))") else {
        throw .wrong(.arithmetic, "the time is out of range", at: range)
      }
      guard let sum = try? number.adding(step) else { throw .wrong(.arithmetic, "the time is out of range", at: range) }
      return .number(sum)
    }
    var time = try timestamp(value, frame, input)
    let (sum, overflow) = time.nanoseconds.addingReportingOverflow(isEarlier ? -nanoseconds : nanoseconds)
    guard !overflow, abs(sum) < 8_800_000_000_000_000_000 else { throw .wrong(.arithmetic, "the time is out of range", at: range) }
    time.nanoseconds = sum
    return .string(time.iso)
  }

  /// Parses a time in the given format, and returns the time in the format of RFC 3339.
  func parsedDate(
    _ value: JSONValue, format: String, zone: String?, _ frame: EvaluationFrame, _ input: ExpressionNode, _ arguments: [ExpressionNode]
  ) throws(ExpressionFailure) -> JSONValue {
    var rules: ZoneRules?
    if let zone { rules = try self.rules(of: zone, arguments) }
    guard Timestamp.isReadable(format) else {
      throw .wrong(.wrongType, Self.unreadableFormat(format), at: range, help: Self.readableFormats)
    }
    if let time = Timestamp(reading: value, format: format, in: rules) { return .string(time.iso) }
    let found = Words.found(frame.isSecret(input) ? .secret(value) : .plain(value))
    throw .wrong(.wrongType, "\(found) is not a time in the format `\(Words.excerpt(format))`", at: input.range)
  }

  /// Returns the rules of the time zone with the name `zone`, which is the last argument of the filter. Throws an error for an unknown
  /// zone.
  private func rules(of zone: String, _ arguments: [ExpressionNode]) throws(ExpressionFailure) -> ZoneRules {
    do throws(ZoneDatabase.Mistake) {
      return try ZoneDatabase.system.rules(of: zone)
    } catch {
      throw .wrong(.wrongType, error.message, at: arguments.last?.range ?? range, help: error.help)
    }
  }

  static func unreadableFormat(_ format: String) -> String {
    "the format `\(Words.excerpt(format))` can't be used to read a date: it has no year, or a directive that is not supported"
  }
  static let readableFormats = "use `iso`, `http`, `unix`, `unix_ms`, or directives such as `%d.%m.%Y %H:%M:%S %z`"

  func seconds(
    of value: JSONValue, since other: JSONValue, _ frame: EvaluationFrame, _ input: ExpressionNode, _ arguments: [ExpressionNode]
  ) throws(ExpressionFailure) -> JSONValue {
    let time = try timestamp(value, frame, input)
    let start = try timestamp(other, frame, arguments.first ?? input)
    let nanoseconds = time.nanoseconds - start.nanoseconds
    let (seconds, rest) = abs(nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
    var fraction = Self.nineDigits(rest)[...]
    while fraction.hasSuffix("0") { fraction = fraction.dropLast() }
    let text = "\(nanoseconds < 0 ? "-" : "")\(seconds)\(fraction.isEmpty ? "" : ".\(fraction)")"
    guard let number = JSONNumber(text) else { throw .wrong(.arithmetic, "the time is out of range", at: range) }
    return .number(number)
  }

  private static func nineDigits(_ value: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, 9 - digits.utf8.count)) + digits
  }

  private func timestamp(
    _ value: JSONValue, _ frame: EvaluationFrame, _ input: ExpressionNode
  ) throws(ExpressionFailure) -> Timestamp {
    if let time = Timestamp(reading: value) { return time }
    let found = Words.found(frame.isSecret(input) ? .secret(value) : .plain(value))
    throw .wrong(
      .wrongType, "expected a time such as `2026-01-31T12:00:00Z` or seconds since 1970, found \(found)", at: input.range)
  }
}

extension Timestamp {
  /// The time in whole milliseconds since 1970, rounded down.
  var milliseconds: Int { (nanoseconds - ((nanoseconds % 1_000_000) + 1_000_000) % 1_000_000) / 1_000_000 }
}
