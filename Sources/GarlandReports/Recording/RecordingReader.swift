import GarlandDiagnostics
import GarlandJSON
import GarlandResults
import GarlandText

/// Converts the members of a JSON report to the values of a ``RunRecording``, such as the results of steps.
struct RecordingReader {
  let file: SourceFile
  var documents: SourceDocuments
  private var steps: [StepIdentity] = []

  init(file: SourceFile, documents: SourceDocuments) {
    self.file = file
    self.documents = documents
  }

  private func refusal(_ place: String, _ message: String) -> RecordingError { Self.refusal(place, message, in: file) }

  static func refusal(_ place: String, _ message: String, in file: SourceFile) -> RecordingError {
    RecordingError(
      "`\(place)` \(message)", at: SourceRange(file, 0..<min(1, file.bytes.count)),
      help: "the report was not written by this program, or was changed")
  }

  func list(_ root: JSONValue, _ name: String) throws(RecordingError) -> [JSONValue] {
    guard let list = root[name]?.arrayValue else { throw refusal("/\(name)", "is missing or not a list") }
    return list
  }

  private func text(_ value: JSONValue, _ name: String, _ place: String) throws(RecordingError) -> String {
    guard let text = value[name]?.stringValue else { throw refusal("\(place)/\(name)", "is missing or not text") }
    return text
  }

  private func count(_ value: JSONValue, _ name: String, _ place: String) throws(RecordingError) -> Int {
    guard let count = value[name]?.intValue, count >= 0 else { throw refusal("\(place)/\(name)", "is missing or not a count") }
    return count
  }

  private func duration(_ value: JSONValue?) -> Duration? { Duration(reported: value) }

  // MARK: The plan

  /// Returns, for each step, the width of its longest iteration name in terminal columns. The key is the index of the step.
  private func iterationColumns(_ root: JSONValue) -> [Int: Int] {
    var columns: [Int: Int] = [:]
    for result in root["results"]?.arrayValue ?? [] {
      guard let step = result["step"]?.intValue, let name = result["iteration"]?.stringValue else { continue }
      columns[step] = max(columns[step] ?? 0, DisplayWidth.of(name))
    }
    return columns
  }

  mutating func start(_ root: JSONValue) throws(RecordingError) -> RunStart {
    guard let run = root["run"], run.objectValue != nil else { throw refusal("/run", "is missing") }
    var dependencies: [[Int]] = []
    var sources: [StepDefinition] = []
    let columns = iterationColumns(root)
    for (index, value) in try list(root, "steps").enumerated() {
      let place = "/steps/\(index)"
      let action = try text(value, "action", place)
      let isRequest = value["request"]?.boolValue ?? StepIdentity.isRequest(action: action)
      let file = try text(value, "file", place)
      guard try count(value, "step", place) == index else { throw refusal("\(place)/step", "is not \(index), its position in the list") }
      let range = documents.range(file, at: value)
      steps.append(
        StepIdentity(
          index: index, id: try text(value, "id", place), file: file, workflow: value["workflow"]?.stringValue ?? file,
          summary: value["description"]?.stringValue, tags: (value["tags"]?.arrayValue ?? []).compactMap(\.stringValue), range: range,
          action: action, isCleanup: value["cleanup"]?.boolValue ?? false, isRequest: isRequest, iterationColumns: columns[index] ?? 0,
          loopLimit: value["loopLimit"]?.intValue, quarantine: value["quarantine"].flatMap(quarantine)))
      dependencies.append((value["dependsOn"]?.arrayValue ?? []).compactMap(\.intValue))
      sources.append(source(value, file, at: range))
    }
    var start = RunStart(
      runID: run["id"]?.stringValue ?? "", startedAt: run["startedAt"]?.stringValue.flatMap(TimeText.seconds) ?? 0, steps: steps,
      dependencies: dependencies, concurrency: run["concurrency"]?.intValue ?? 0)
    start.perOrigin = run["perOrigin"]?.intValue ?? 0
    start.isSerial = run["serial"]?.boolValue ?? false
    start.isRepeated = run["repeated"]?.boolValue ?? false
    start.sources = sources
    start.rerunOptions = (run["rerunOptions"]?.arrayValue ?? []).compactMap(\.stringValue)
    start.seed = run["seed"]?.intValue.map { UInt64(truncatingIfNeeded: $0) }
    start.shuffleSeed = run["shuffle"]?.intValue.map { UInt64(truncatingIfNeeded: $0) }
    start.shard = run["shard"].flatMap { RunShard($0) }
    start.merge = run["shards"].flatMap { RunMerge($0) }
    start.load = try load(root, samples: false)?.settings
    return start
  }

  private func quarantine(_ value: JSONValue) -> Quarantine? {
    guard let reason = value["reason"]?.stringValue, let until = value["until"]?.stringValue else { return nil }
    return Quarantine(reason: reason, until: until)
  }

  /// Reads the definition of a step: the range of the lines that the report quotes from the workflow file, and the step's expectations.
  private mutating func source(_ value: JSONValue, _ file: String, at range: SourceRange) -> StepDefinition {
    var source = StepDefinition(range)
    if let text = value["source"]?.stringValue, let line = value["sourceLine"]?.intValue {
      source.range = documents.lines(file, from: line, count: text.utf8.count { $0 == UInt8(ascii: "\n") } + 1) ?? range
    }
    for check in value["checks"]?.arrayValue ?? [] {
      guard let subject = check["subject"]?.stringValue else { continue }
      source.checks.append(.init(subject, at: documents.range(check["file"]?.stringValue ?? file, at: check)))
    }
    return source
  }

  /// Reads the measurements of a load test; nil for any other run.
  private mutating func load(_ root: JSONValue, samples: Bool) throws(RecordingError) -> RunLoad? {
    guard let value = root["run"]?["load"] else { return nil }
    guard var load = RunLoad(value, steps: steps) else { throw refusal("/run/load", "has no figures of a load of these steps") }
    guard samples else { return load }
    for (index, step) in (value["steps"]?.arrayValue ?? []).enumerated() {
      for sample in step["samples"]?.arrayValue ?? [] {
        load.steps[index].samples.append(try result(sample, "/run/load/steps/\(index)/samples"))
      }
    }
    return load
  }

  mutating func summary(_ root: JSONValue, _ results: [StepResult], _ notices: [Diagnostic]) throws(RecordingError) -> RunSummary {
    var summary = RunSummary()
    for result in results { summary.count(result) }
    // The sum of the recorded times, which are rounded, may differ from the recorded sum. If steps ran again, the requests and the times of
    // their dependencies are counted, too. A merged run also counts the requests of a step in each shard.
    if let sum = duration(root["run"]?["sumOfStepSeconds"]) { summary.sumOfStepTimes = sum }
    summary.requestCount = max(summary.requestCount, root["run"]?["requests"]?.intValue ?? 0)
    if let load = try load(root, samples: true) {
      summary.load = load
      summary.requestCount = load.requests
      summary.sumOfStepTimes = .zero
    }
    summary.wallTime = duration(root["run"]?["seconds"]) ?? .zero
    summary.earlyEnd = earlyEnd(root)
    if root["run"]?["refused"]?.boolValue == true {
      let errors = notices.filter { $0.severity == .error }
      summary.refusal = RunRefusal(
        errors.isEmpty ? notices : errors, exitStatus: Int32(clamping: root["run"]?["exitStatus"]?.intValue ?? 2))
    } else {
      let recorded = root["run"]?["errorOutcome"]?.stringValue.flatMap(Outcome.init)
      // A report that someone else wrote could name an outcome that an error can't give to a run.
      let outcome = recorded.flatMap { $0.isProblem || $0 == .blocked ? $0 : nil } ?? .error
      for error in notices where error.severity == .error { summary.add(error, outcome) }
    }
    summary.failsWhenFlaky = summary.exitStatus != 1 && root["run"]?["exitStatus"]?.intValue == 1
    return summary
  }

  private func earlyEnd(_ root: JSONValue) -> EarlyEnd? {
    let run = root["run"]
    if let name = run?["interruptedBy"]?.stringValue {
      var end = EarlyEnd(.interrupt, name)
      end.remark = run?["shards"].flatMap { RunMerge($0) }?.absence
      return end
    }
    guard let words = run?["stoppedEarly"]?.stringValue else { return nil }
    if let word = run?["endedBy"]?.stringValue { return EarlyEnd(EarlyEnd.Cause(rawValue: word) ?? .other, words) }
    // Reports of earlier versions have no `endedBy`. The cause that fits their exit status keeps the status.
    let status = run?["exitStatus"]?.intValue
    return EarlyEnd(status == 4 ? .deadline : status == 1 ? .failures : .other, words)
  }

  // MARK: Results

  private func step(_ value: JSONValue, _ place: String) throws(RecordingError) -> StepIdentity {
    let index = try count(value, "step", place)
    guard steps.indices.contains(index) else { throw refusal("\(place)/step", "is \(index), but the run has \(steps.count) steps") }
    return steps[index]
  }

  mutating func result(_ value: JSONValue, _ place: String, isEarlier: Bool = false) throws(RecordingError) -> StepResult {
    let word = try text(value, "outcome", place)
    guard let outcome = Outcome(rawValue: word) else { throw refusal("\(place)/outcome", "is `\(word)`, which is not an outcome") }
    let startedAt = duration(value["startedAt"]) ?? .zero
    var result = StepResult(
      step: try step(value, place), outcome: outcome, startedAt: startedAt, endedAt: startedAt)
    // The reported duration is used: start and end were rounded separately.
    result.endedAt = duration(value["seconds"]).map { startedAt + $0 } ?? duration(value["endedAt"]) ?? startedAt
    result.iteration = value["iteration"]?.stringValue
    result.iterationIndex = value["iterationIndex"]?.intValue
    if value["items"] != nil { result.itemCount = max(1, try count(value, "items", place)) }
    if value["omittedRequests"] != nil { result.omittedRequests = try count(value, "omittedRequests", place) }
    result.readyAt = duration(value["readyAt"]) ?? startedAt
    result.delay = duration(value["delay"]) ?? .zero
    result.isFailureAllowed = value["failureAllowed"]?.boolValue ?? false
    result.isCutOff = value["cutOff"]?.boolValue ?? false
    result.reason = value["reason"]?.stringValue
    result.checkCount = value["checks"]?.intValue ?? 0
    result.found = (value["found"]?.arrayValue ?? []).map(\.stringValue)
    for (index, blocker) in (value["blockedBy"]?.arrayValue ?? []).enumerated() {
      result.blockedBy.append(try step(blocker, "\(place)/blockedBy/\(index)"))
    }
    for (index, failure) in (value["failures"]?.arrayValue ?? []).enumerated() {
      result.failures.append(try self.failure(failure, "\(place)/failures/\(index)"))
    }
    for (index, exchange) in (value["exchanges"]?.arrayValue ?? []).enumerated() {
      result.exchanges.append(try self.exchange(exchange, "\(place)/exchanges/\(index)"))
    }
    // Garland never writes earlier results within an earlier result, and their nesting could be infinite.
    if !isEarlier {
      for (index, earlier) in (value["earlier"]?.arrayValue ?? []).enumerated() {
        result.earlier.append(try self.result(earlier, "\(place)/earlier/\(index)", isEarlier: true))
      }
    }
    for member in value["extracted"]?.objectValue ?? [:] { result.extracted.append((member.key, member.value.jsonText())) }
    return result
  }

  private mutating func failure(_ value: JSONValue, _ place: String) throws(RecordingError) -> CheckFailure {
    let word = try text(value, "kind", place)
    guard let kind = CheckFailure.Kind(rawValue: word) else {
      throw refusal("\(place)/kind", "is `\(word)`, which is not a kind of failure")
    }
    let range = value["file"]?.stringValue.map { documents.range($0, at: value) }
    var failure = CheckFailure(kind, subject: try text(value, "subject", place), message: try text(value, "message", place), at: range)
    failure.errorKind = value["errorKind"]?.stringValue
    failure.expected = value["expected"]?.stringValue
    failure.actual = value["actual"]?.stringValue
    failure.difference = (value["difference"]?.arrayValue ?? []).compactMap(\.stringValue)
    failure.excerpt = value["excerpt"]?.stringValue
    failure.help = value["help"]?.stringValue
    return failure
  }

  private func exchange(_ value: JSONValue, _ place: String) throws(RecordingError) -> Exchange {
    var hops: [Exchange.Hop] = []
    for (index, hop) in (value["hops"]?.arrayValue ?? []).enumerated() { hops.append(try self.hop(hop, "\(place)/hops/\(index)")) }
    guard !hops.isEmpty else { throw refusal("\(place)/hops", "is missing, or empty") }
    var exchange = Exchange(hops: hops)
    exchange.isIncoming = value["incoming"]?.boolValue ?? false
    exchange.label = value["label"]?.stringValue
    exchange.error = value["error"]?.stringValue
    exchange.stream = value["stream"].flatMap(stream)
    exchange.curlCommand = value["curl"]?.stringValue
    exchange.requestBody = value["requestBody"].flatMap(body)
    exchange.responseBody = value["responseBody"].flatMap(body)
    return exchange
  }

  private func stream(_ value: JSONValue) -> Exchange.Stream? {
    guard let items = value["items"]?.stringValue, let count = value["count"]?.intValue, count >= 0 else { return nil }
    var stream = Exchange.Stream(items: items, count: count, timeToFirst: duration(value["timeToFirst"]))
    stream.omittedMessages = value["omittedMessages"]?.intValue ?? 0
    stream.messages = (value["messages"]?.arrayValue ?? []).map { message in
      var read = Exchange.Stream.Message(isSent: message["sent"]?.boolValue ?? false, text: message["text"]?.stringValue ?? "")
      read.isBinary = message["binary"]?.boolValue ?? false
      read.time = duration(message["time"])
      return read
    }
    return stream
  }

  private func hop(_ value: JSONValue, _ place: String) throws(RecordingError) -> Exchange.Hop {
    func fields(_ name: String) -> [Exchange.Field] {
      (value[name]?.arrayValue ?? []).compactMap { field in
        guard let name = field["name"]?.stringValue, let value = field["value"]?.stringValue else { return nil }
        return Exchange.Field(name, value)
      }
    }
    let times = value["timing"]
    var timing = Exchange.Timing(total: duration(times?["total"]) ?? .zero)
    timing.nameLookup = duration(times?["nameLookup"])
    timing.connect = duration(times?["connect"])
    timing.tls = duration(times?["tls"])
    timing.requestStart = duration(times?["requestStart"])
    timing.requestSent = duration(times?["requestSent"])
    timing.startedAt = duration(value["startedAt"])
    timing.localPort = value["localPort"]?.intValue
    timing.sizes = value["wireBytes"].map(sizes)
    timing.security = value["tls"].flatMap(security)
    timing.firstByte = duration(times?["firstByte"])
    timing.isReused = value["reusedConnection"]?.boolValue ?? false
    timing.isSentAgain = value["sentAgain"]?.boolValue ?? false
    timing.source = value["cache"]?.stringValue.flatMap { Exchange.Timing.Source(rawValue: $0) } ?? .network
    timing.version = value["httpVersion"]?.stringValue
    timing.remoteAddress = value["remoteAddress"]?.stringValue
    return Exchange.Hop(
      method: try text(value, "method", place), url: try text(value, "url", place), requestFields: fields("requestHeaders"),
      status: value["status"]?.intValue, responseFields: fields("responseHeaders"), timing: timing)
  }

  private func sizes(_ value: JSONValue) -> Exchange.Sizes {
    func size(_ name: String) -> Int { max(0, value[name]?.intValue ?? 0) }
    return Exchange.Sizes(
      requestHead: size("requestHead"), requestBody: size("requestBody"), responseHead: size("responseHead"),
      responseBody: size("responseBody"))
  }

  private func security(_ value: JSONValue) -> Exchange.Security? {
    guard let version = value["version"]?.stringValue, let cipher = value["cipher"]?.stringValue else { return nil }
    var security = Exchange.Security(version: version, cipher: cipher)
    security.subject = value["subject"]?.stringValue
    security.issuer = value["issuer"]?.stringValue
    security.expiresAt = value["expiresAt"]?.stringValue.flatMap(TimeText.seconds).map { Int($0) }
    return security
  }

  private func body(_ value: JSONValue) -> Exchange.Body? {
    guard let size = value["size"]?.intValue, size >= 0 else { return nil }
    let bytes = value["text"]?.stringValue.map { Array($0.utf8) } ?? value["base64"]?.stringValue.flatMap { try? Base64.decode($0) } ?? []
    var body = Exchange.Body(bytes: bytes, size: size, type: value["type"]?.stringValue, file: value["file"]?.stringValue)
    body.isInUTF8 = value["text"] != nil
    body.isBrokenOff = value["brokenOff"]?.boolValue ?? false
    if !bytes.isEmpty { body.isKnownWhole = value["truncated"]?.boolValue != true }
    return body
  }

  mutating func notice(_ value: JSONValue) -> Diagnostic {
    let range = value["file"]?.stringValue.map { documents.range($0, at: value) }
    let severity: Diagnostic.Severity = value["severity"]?.stringValue == "error" ? .error : .warning
    var diagnostic = Diagnostic(
      DiagnosticCode(rawValue: value["code"]?.stringValue ?? "notice"), severity: severity, value["message"]?.stringValue ?? "", at: range)
    for note in value["notes"]?.arrayValue ?? [] { if let note = note.stringValue { diagnostic = diagnostic.note(note) } }
    for help in value["help"]?.arrayValue ?? [] { if let help = help.stringValue { diagnostic = diagnostic.help(help) } }
    return diagnostic
  }
}
