import GarlandJSON
import GarlandResults

/// The numbers of a JSON report, each with its limit.
///
/// A recording checks all of its numbers before it uses any of them. Reports add these numbers, convert them to other units and use them as
/// positions. The limits are chosen so that none of these computations overflows, even if the report was changed by hand.
///
/// ```swift
/// if let mistake = ReportNumbers.document.mistake(in: report) { print("`\(mistake.place)` \(mistake.message)") }
/// ```
indirect enum ReportNumbers: Sendable {
  /// A number that must not break its limit. A value of another type at this place is not checked.
  case number(Limit)
  /// An object. Only the members that are numbers or contain numbers are listed.
  case object([String: ReportNumbers])
  /// An array whose elements all have the same structure.
  case each(ReportNumbers)

  /// The limits of a number: its largest value, and whether it may have a fraction. No number may be negative.
  struct Limit: Sendable {
    let largest: Int
    /// Whether the number must have no fraction.
    var isWhole = true
  }

  /// A number that is not allowed in its place, for example because it is negative or too large.
  struct Mistake: Equatable {
    /// The JSON pointer of the number, relative to the value that was checked.
    var place: String
    /// The end of the error message, after the ``place`` of the number: for example `is -1, which is negative`.
    let message: String
  }

  /// Returns the first number in `value` that breaks its limit; nil if there is none.
  func mistake(in value: JSONValue) -> Mistake? {
    switch self {
    case .number(let limit):
      guard case .number(let number) = value else { return nil }
      return limit.complaint(about: number).map { Mistake(place: "", message: $0) }
    case .object(let members):
      for (name, value) in value.objectValue ?? [:] {
        guard var mistake = members[name]?.mistake(in: value) else { continue }
        mistake.place = "/\(name)\(mistake.place)"
        return mistake
      }
    case .each(let element):
      for (index, value) in (value.arrayValue ?? []).enumerated() {
        guard var mistake = element.mistake(in: value) else { continue }
        mistake.place = "/\(index)\(mistake.place)"
        return mistake
      }
    }
    return nil
  }
}

extension ReportNumbers.Limit {
  /// Returns the words about a number that breaks this limit; nil for any other number.
  fileprivate func complaint(about number: JSONNumber) -> String? {
    let isMet: Bool
    if isWhole {
      guard number.isIntegral else { return "is \(Self.words(number)), which is not a whole number" }
      isMet = number.intValue.map { $0 <= largest } ?? false
    } else {
      isMet = number.doubleValue <= Double(largest)
    }
    if number.isNegative { return "is \(Self.words(number)), which is negative" }
    return isMet ? nil : "is \(Self.words(number)), which is more than the limit of \(Readable.count(largest))"
  }

  /// Returns the digits of a number. All digits after the first 40 characters are replaced by `…`.
  private static func words(_ number: JSONNumber) -> String {
    let text = number.text
    return text.utf8.count <= 40 ? text : "\(text.prefix(40))…"
  }
}

// MARK: - The structure of a report

extension ReportNumbers {
  /// The limit for the position of a step, an item, a line or a column, and for counts that are usually small, such as the number of users.
  private static let small = number(Limit(largest: (1 << 31) - 1))
  /// A count that a long load test can reach, or a size in bytes. The sum of four million such numbers causes no overflow.
  private static let large = number(Limit(largest: 1 << 40))
  /// The format of a number without an upper limit: a setting that the user may choose freely, or a sum. Code that adds such numbers must
  /// expect an overflow.
  private static let setting = number(Limit(largest: .max))
  private static let shards = number(Limit(largest: RunShard.most))
  private static let seconds = number(Limit(largest: 999_999_999, isWhole: false))
  private static let perSecond = number(Limit(largest: Int(RunLoad.mostPerSecond), isWhole: false))

  /// The numbers in a whole report, each with its limit.
  static let document = object(["run": run, "notices": each(place), "steps": each(step), "results": each(result)])

  /// The member `run` of a report.
  static let run = object([
    "concurrency": setting, "perOrigin": setting, "seconds": seconds, "sumOfStepSeconds": seconds, "requests": large, "counts": counts,
    "allowedFailures": small, "quarantined": small, "flaky": small, "exitStatus": small, "omittedNotices": small, "load": load,
    "shard": object(["number": shards, "count": shards, "loops": loops]),
    "shards": object(["count": shards, "missing": each(shards), "seconds": each(seconds), "loops": loops]),
  ])

  /// The numbers that describe the parts of a loop whose items were divided among shards.
  private static let loops = each(object(["first": small, "count": small, "of": small]))

  private static let counts = object(Dictionary(uniqueKeysWithValues: Outcome.allCases.map { ($0.rawValue, large) }))

  private static let load = object([
    "rate": number(Limit(largest: 1_000_000_000, isWhole: false)), "users": small, "repetitions": setting, "duration": seconds,
    "ramp": seconds, "begun": large, "ended": large,
    "failed": large, "late": large, "latest": seconds, "seconds": seconds, "perSecond": perSecond, "requestsPerSecond": perSecond,
    "repetition": histogram,
    "steps": each(
      object([
        "step": small, "counts": counts, "requests": large, "errors": each(object(["count": large])), "latency": histogram,
        "service": histogram, "samples": each(result),
      ])),
  ])

  private static let histogram = object([
    "count": large, "min": seconds, "mean": seconds, "p50": seconds, "p90": seconds, "p95": seconds, "p99": seconds, "p99_9": seconds,
    "max": seconds, "sumMicroseconds": setting, "microseconds": each(large), "counts": each(large),
  ])

  /// The position of a text in a document.
  private static let place = object(["line": small, "column": small, "length": small])

  /// An element of the member `steps` of a report.
  static let step = object([
    "step": small, "line": small, "column": small, "loopLimit": setting, "dependsOn": each(small), "sourceLine": small,
    "checks": each(place),
  ])

  /// An element of the member `results` of a report.
  static let result = object(outcome.merging(["earlier": each(object(outcome))]) { one, _ in one })

  private static let outcome: [String: ReportNumbers] = [
    "step": small, "iterationIndex": small, "items": small, "readyAt": seconds, "delay": seconds, "startedAt": seconds, "endedAt": seconds,
    "seconds": seconds, "checks": small, "omittedRequests": small, "blockedBy": each(object(["step": small])), "failures": each(place),
    "exchanges": each(
      object([
        "stream": object([
          "count": large, "timeToFirst": seconds, "omittedMessages": large, "messages": each(object(["time": seconds])),
        ]),
        "hops": each(hop), "requestBody": object(["size": large]), "responseBody": object(["size": large]),
      ])),
  ]

  private static let hop = object([
    "status": small, "startedAt": seconds, "localPort": small,
    "timing": object([
      "nameLookup": seconds, "connect": seconds, "tls": seconds, "requestStart": seconds, "requestSent": seconds, "firstByte": seconds,
      "total": seconds,
    ]),
    "phases": object([
      "queue": seconds, "nameLookup": seconds, "connect": seconds, "tls": seconds, "send": seconds, "wait": seconds, "receive": seconds,
    ]),
    "wireBytes": object(["requestHead": large, "requestBody": large, "responseHead": large, "responseBody": large]),
  ])
}
