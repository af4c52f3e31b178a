import GarlandJSON
import GarlandResults

extension RunLoad {
  /// Writes the measurements of a load test as the members of `run.load`.
  func write(in json: inout JSONWriter, steps identities: [StepIdentity], sample: (inout JSONWriter, StepResult) -> Void) {
    if let rate = settings.rate { json.raw("rate", Self.exact(rate)) }
    json.member("users", settings.users)
    json.member("repetitions", settings.repetitions)
    json.member("duration", settings.duration)
    if settings.ramp > .zero { json.member("ramp", settings.ramp) }
    json.member("begun", begun)
    json.member("ended", ended)
    json.member("failed", failed)
    if settings.rate != nil {
      json.member("late", late)
      json.member("latest", latest)
    }
    json.member("seconds", elapsed)
    json.raw("perSecond", Self.decimal(perSecond(ended)))
    json.raw("requestsPerSecond", Self.decimal(perSecond(requests)))
    json.object("repetition") { repetition.write(in: &$0) }
    json.array("steps", zip(identities, self.steps).map { ($0, $1) }) { json, entry in
      json.object { entry.1.write(in: &$0, entry.0, sample: sample) }
    }
    if !expectations.isEmpty {
      json.array("expectations", expectations) { json, expectation in
        json.object { json in
          json.member("text", expectation.text)
          json.member("met", expectation.isMet(by: self))
          json.member("actual", expectation.actualText(in: self) { "\(Readable.microseconds($0)) us" })
        }
      }
    }
  }

  /// Returns the shortest digits that represent a setting exactly, such as `0.016666666666666666` or `200`. A setting is not rounded, because
  /// `garland report merge` compares and adds the settings of shards.
  fileprivate static func exact(_ number: Double) -> String {
    Int(exactly: number).map { "\($0)" } ?? "\(number)"
  }

  /// Returns the digits of a measured number, rounded to three decimals.
  fileprivate static func decimal(_ number: Double) -> String {
    let thousandths = Int((number * 1_000).rounded())
    return Readable.seconds(.milliseconds(thousandths))
  }

  /// Reads the measurements of a load test from `run.load`. Returns nil for an invalid value.
  init?(_ value: JSONValue, steps identities: [StepIdentity]) {
    func duration(_ name: String) -> Duration? { Duration(reported: value[name]) }
    guard let users = value["users"]?.intValue, users > 0, let steps = value["steps"]?.arrayValue, steps.count == identities.count else {
      return nil
    }
    let settings = LoadSettings(
      rate: value["rate"]?.doubleValue, users: users, repetitions: value["repetitions"]?.intValue, duration: duration("duration"),
      ramp: duration("ramp") ?? .zero)
    self.init(settings, stepCount: identities.count)
    guard let repetition = value["repetition"].flatMap({ LatencyHistogram($0) }) else { return nil }
    self.repetition = repetition
    begun = value["begun"]?.intValue ?? 0
    ended = value["ended"]?.intValue ?? 0
    failed = value["failed"]?.intValue ?? 0
    late = value["late"]?.intValue ?? 0
    latest = duration("latest") ?? .zero
    elapsed = duration("seconds") ?? .zero
    for (index, step) in steps.enumerated() {
      guard let read = StepLoad(step) else { return nil }
      self.steps[index] = read
    }
    for entry in value["expectations"]?.arrayValue ?? [] {
      guard let text = entry["text"]?.stringValue,
        let expectation = try? LoadExpectation(text, steps: identities.map(\.id), files: identities.map(\.file), isRecorded: true)
      else { return nil }
      expectations.append(expectation)
    }
  }
}

extension StepLoad {
  fileprivate func write(in json: inout JSONWriter, _ step: StepIdentity, sample: (inout JSONWriter, StepResult) -> Void) {
    json.member("step", step.index)
    json.member("id", step.id)
    json.member("file", step.file)
    json.object("counts") { json in
      for outcome in Outcome.allCases where counts[outcome, default: 0] > 0 {
        json.member(named: outcome.rawValue, .init(counts[outcome, default: 0]))
      }
    }
    if isFailureAllowed { json.member("failureAllowed", true) }
    json.member("requests", requests)
    if !errors.isEmpty {
      json.array("errors", rankedErrors) { json, error in
        json.object { json in
          json.member("kind", error.kind)
          json.member("count", error.count)
        }
      }
    }
    json.object("latency") { latency.write(in: &$0) }
    if let service { json.object("service") { service.write(in: &$0) } }
    if !samples.isEmpty { json.array("samples", samples, sample) }
  }

  fileprivate init?(_ value: JSONValue) {
    self.init()
    guard let counts = value["counts"]?.objectValue, let latency = value["latency"].flatMap({ LatencyHistogram($0) }) else { return nil }
    for (name, count) in counts {
      guard let outcome = Outcome(rawValue: name), let count = count.intValue, count >= 0 else { return nil }
      self.counts[outcome] = count
    }
    isFailureAllowed = value["failureAllowed"]?.boolValue ?? false
    requests = value["requests"]?.intValue ?? 0
    for error in value["errors"]?.arrayValue ?? [] {
      guard let kind = error["kind"]?.stringValue, let count = error["count"]?.intValue, count > 0 else { return nil }
      errors[kind] = count
    }
    self.latency = latency
    if let service = value["service"] {
      guard let read = LatencyHistogram(service) else { return nil }
      self.service = read
    }
  }
}

extension LatencyHistogram {
  /// Writes the members of a histogram: percentiles for human readers, and all counts, which are needed to add histograms.
  fileprivate func write(in json: inout JSONWriter) {
    json.member("count", count)
    json.member("min", least)
    json.member("mean", mean)
    json.member("p50", percentile(50))
    json.member("p90", percentile(90))
    json.member("p95", percentile(95))
    json.member("p99", percentile(99))
    json.member("p99_9", percentile(99.9))
    json.member("max", most)
    json.member("sumMicroseconds", Int(clamping: sum))
    json.array("microseconds", entries) { json, entry in json.number(entry.microseconds) }
    json.array("counts", entries) { json, entry in json.number(entry.count) }
  }

  fileprivate init?(_ value: JSONValue) {
    guard let times = value["microseconds"]?.arrayValue, let counts = value["counts"]?.arrayValue, times.count == counts.count,
      let sum = value["sumMicroseconds"]?.intValue
    else { return nil }
    var entries: [(microseconds: Int, count: Int)] = []
    for (time, count) in zip(times, counts) {
      guard let time = time.intValue, let count = count.intValue else { return nil }
      entries.append((time, count))
    }
    self.init(entries: entries, sum: sum)
  }
}
