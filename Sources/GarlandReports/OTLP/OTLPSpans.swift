import GarlandResults

/// Formats a run, its results and their exchanges as OTLP spans, each as a JSON object.
struct OTLPSpans {
  /// The [kind of span](https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto), with the
  /// number that represents it in OTLP.
  private enum Kind: Int { case inner = 1, server, client }

  /// All data of a span except its attributes.
  private struct Span {
    var id: String
    var parent: String?
    var name: String
    var kind = Kind.inner
    /// The start and the end of the span, in microseconds since the run's start.
    var times: Range<Int>
    /// The reason why the span is an error, or nil if it is not an error.
    var error: String?
    var isGood = false
    var events: [(name: StaticString, time: Int)] = []
  }

  private let mask: Mask
  private let label: StepLabel
  private let trace: RunTrace
  /// The start of the run in microseconds since 1970.
  private let begin: Int
  private let runID: String
  /// The seed of the run's generated data; nil without such data.
  private let seed: UInt64?

  init(mask: Mask, start: RunStart?) {
    self.mask = mask
    label = StepLabel(mask: mask, namesFile: false)
    runID = start?.runID ?? ""
    seed = start?.seed
    trace = RunTrace(runID: runID)
    begin = (start?.recordedMilliseconds ?? 0) * 1_000
  }

  // MARK: The run

  /// Returns the JSON of the span that represents the whole run.
  func bytes(of summary: RunSummary) -> [UInt8] {
    var attributes = OTLPAttributes()
    attributes.add("garland.run.id", runID)
    attributes.add("garland.run.seed", seed.map { String($0) })
    attributes.add("garland.exit_status", Int(summary.exitStatus))
    attributes.add("garland.requests", summary.requestCount)
    attributes.add("garland.load.repetitions", summary.load?.ended)
    attributes.add("garland.load.failed_repetitions", summary.load?.failed)
    attributes.add("test.suite.run.status", Self.status(of: summary))
    var span = Span(id: trace.span("run"), name: "garland run", times: 0..<max(0, Readable.microseconds(summary.wallTime)))
    span.isGood = summary.exitStatus == 0
    if !span.isGood {
      let reasons = reasons(of: summary)
      span.error = reasons.isEmpty ? "exit status \(summary.exitStatus)" : reasons.joined(separator: "; ")
    }
    return bytes(span, attributes)
  }

  /// Returns the reasons, other than failed steps, why a run did not succeed.
  private func reasons(of summary: RunSummary) -> [String] {
    let refusal = summary.refusal?.diagnostics.first.map { "the run did not begin: \($0.message)" }
    var reasons = [refusal ?? summary.earlyEnd?.words].compactMap(\.self)
    for expectation in summary.load.map({ LoadFigures.expectations(of: $0, mask) }) ?? [] where !expectation.isMet {
      reasons.append("expectation not met: \(expectation.words)")
    }
    return reasons + summary.runErrors.map(\.message)
  }

  private static func status(of summary: RunSummary) -> String {
    if summary.exitStatus == 0 { return "success" }
    return summary.refusal != nil || summary.earlyEnd?.cause == .interrupt ? "aborted" : "failure"
  }

  // MARK: Steps

  /// Returns the span of a result, followed by the spans of its exchanges.
  ///
  /// If `--rerun-failed` ran the step several times, each run of the step has a span, the earliest first.
  func bytes(of result: StepResult) -> [UInt8] {
    let name = "\(result.step.index)/\(result.iterationIndex ?? 0)"
    guard !result.earlier.isEmpty else { return bytes(of: result, named: name, run: nil) }
    var all: [UInt8] = []
    for (index, earlier) in result.earlier.enumerated() {
      all += bytes(of: earlier, named: "\(name)/run \(index + 1)", run: index + 1) + [UInt8(ascii: ",")]
    }
    return all + bytes(of: result, named: name, run: result.earlier.count + 1)
  }

  private func bytes(of result: StepResult, named name: String, run: Int?) -> [UInt8] {
    var span = Span(id: trace.span(name), parent: trace.span("run"), name: result.step.id, times: result.recordedMicroseconds)
    span.isGood = result.outcome == .passed
    if result.outcome.isProblem { span.error = label.explanation(result) }
    var attributes = OTLPAttributes()
    attributes.add("test.suite.name", result.step.workflow)
    attributes.add("test.case.name", result.step.id)
    switch result.outcome {
    case .passed: attributes.add("test.case.result.status", "pass")
    case .failed, .error, .unreachable: attributes.add("test.case.result.status", "fail")
    case .skipped, .blocked, .notRun: break
    }
    attributes.add("garland.step.outcome", result.outcome.rawValue)
    attributes.add("garland.step.iteration", result.iteration)
    attributes.add("garland.step.run", run)
    attributes.add("garland.step.reason", result.reason)
    if result.isFlaky { attributes.add("garland.step.flaky", 1) }
    if let quarantine = result.step.quarantine { attributes.add("garland.step.quarantined_until", quarantine.until) }
    if result.isFailureAllowed { attributes.add("garland.step.failure_allowed", 1) }
    attributes.add("garland.step.tags", result.step.tags)
    // The times are computed from rounded values, so that the trace of a recorded run is the same.
    let ready = Readable.microseconds(result.readyAt) + Readable.microseconds(result.delay)
    attributes.add("garland.step.slot_wait", .microseconds(max(0, span.times.lowerBound - ready)))
    if result.delay > .zero { attributes.add("garland.step.delay", .microseconds(Readable.microseconds(result.delay))) }
    attributes.add("code.file.path", result.step.file)
    attributes.add("code.line.number", result.step.range.start.line)
    var all = bytes(span, attributes)
    for (index, exchange) in result.exchanges.enumerated() {
      for one in bytes(of: exchange, index, named: name, in: span, result) { all += [UInt8(ascii: ",")] + one }
    }
    return all
  }

  // MARK: Exchanges

  /// Returns the JSON of the span of an exchange and, if redirects were followed, the spans of its hops.
  private func bytes(of exchange: Exchange, _ index: Int, named name: String, in step: Span, _ result: StepResult) -> [[UInt8]] {
    let hops = exchange.hops
    guard let first = hops.first, let last = hops.last else { return [] }
    let name = "\(name)/\(index)"
    let parent = Self.traceParent(in: first).flatMap(trace.span(inParent:))
    let id = parent ?? trace.span(name)
    // All hops of a redirect send the same header field, which identifies their parent span.
    guard hops.count > 1 else {
      return [bytes(of: first, id, parent: step.id, exchange, resends: index, error: exchange.error, result)]
    }
    let (begin, end) = (times(of: first, result).lowerBound, times(of: last, result).upperBound)
    var span = Span(id: id, parent: step.id, name: Self.method(first.method), times: begin..<max(begin, end))
    span.error = exchange.error
    var attributes = OTLPAttributes()
    attributes.add("garland.exchange.label", exchange.label)
    var all = [bytes(span, attributes)]
    for (place, hop) in hops.enumerated() {
      let error = place == hops.count - 1 ? exchange.error : nil
      all.append(bytes(of: hop, trace.span("\(name)/\(place)"), parent: id, exchange, resends: index + place, error: error, result))
    }
    return all
  }

  private func bytes(
    of hop: Exchange.Hop, _ id: String, parent: String, _ exchange: Exchange, resends: Int, error: String?, _ result: StepResult
  ) -> [UInt8] {
    let times = times(of: hop, result)
    var span = Span(id: id, parent: parent, name: Self.method(hop.method), times: times)
    span.kind = exchange.isIncoming ? .server : .client
    let isRefused = hop.status.map { $0 >= (exchange.isIncoming ? 500 : 400) } ?? false
    span.error = error ?? (isRefused ? hop.status.map { "status \($0)" } : nil)
    span.events = Self.events(of: hop.timing.recorded, from: times)
    var attributes = OTLPAttributes()
    attributes.add("http.request.method", Self.isKnown(hop.method) ? hop.method : "_OTHER")
    if !Self.isKnown(hop.method) { attributes.add("http.request.method_original", hop.method) }
    attributes.add("url.full", hop.url)
    let server = Self.server(of: mask.text(hop.url))
    attributes.add("server.address", server.address)
    attributes.add("server.port", server.port)
    attributes.add("http.response.status_code", hop.status)
    if error != nil {
      attributes.add("error.type", "transport")
    } else if isRefused {
      attributes.add("error.type", hop.status.map { "\($0)" })
    }
    if resends > 0 { attributes.add("http.request.resend_count", resends) }
    attributes.add("garland.exchange.label", exchange.label)
    if let stream = exchange.stream {
      attributes.add("garland.stream.items", stream.items)
      attributes.add("garland.stream.count", stream.count)
    }
    add(hop.timing, to: &attributes)
    return bytes(span, attributes)
  }

  private func add(_ timing: Exchange.Timing, to attributes: inout OTLPAttributes) {
    attributes.add("network.protocol.version", timing.version)
    if let address = timing.remoteAddress {
      let peer = Self.hostAndPort(address)
      attributes.add("network.peer.address", peer.address)
      attributes.add("network.peer.port", peer.port)
    }
    if let sizes = timing.sizes {
      attributes.add("http.request.body.size", sizes.requestBody)
      attributes.add("http.response.body.size", sizes.responseBody)
    }
    attributes.add("tls.protocol.version", timing.security?.version)
    attributes.add("tls.cipher", timing.security?.cipher)
    if timing.source != .network { attributes.add("garland.cache", timing.source.rawValue) }
  }

  private func times(of hop: Exchange.Hop, _ result: StepResult) -> Range<Int> {
    let start = Readable.microseconds(hop.timing.startedAt ?? result.startedAt)
    return start..<start + max(0, Readable.microseconds(hop.timing.total))
  }

  /// Returns the events of a span: one for the end of each timing phase, up to the first byte of the response.
  private static func events(of timing: Exchange.Timing, from times: Range<Int>) -> [(name: StaticString, time: Int)] {
    let ends: [(StaticString, Duration?)] = [
      ("name resolved", timing.nameLookup), ("connected", timing.connect), ("TLS handshake done", timing.tls),
      ("request sent", timing.requestSent), ("first byte received", timing.firstByte),
    ]
    return ends.compactMap { name, end in
      end.map { (name, min(times.upperBound, times.lowerBound + Readable.microseconds($0))) }
    }
  }

  private static func traceParent(in hop: Exchange.Hop) -> String? {
    hop.requestFields.first { $0.name.lowercased() == "traceparent" }?.value
  }

  // MARK: Names

  /// The HTTP methods that the semantic conventions of OpenTelemetry define.
  private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "QUERY"]

  private static func isKnown(_ method: String) -> Bool { methods.contains(method) }

  private static func method(_ method: String) -> String { isKnown(method) ? method : "HTTP" }

  private static func server(of url: String) -> (address: String?, port: Int?) {
    guard let scheme = url.firstRange(of: "://") else { return (nil, nil) }
    let authority = url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let (address, port) = hostAndPort(String(authority))
    let usual = url.hasPrefix("https:") ? 443 : url.hasPrefix("http:") ? 80 : nil
    return (address.isEmpty ? nil : address, port ?? usual)
  }

  /// Returns the address and the port in a text, such as `::1` and 80 for `[::1]:80`.
  private static func hostAndPort(_ text: String) -> (address: String, port: Int?) {
    guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]) else {
      return (text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text, nil)
    }
    let host = text[..<colon]
    return (host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : String(host), port)
  }

  // MARK: JSON

  private func bytes(_ span: Span, _ attributes: OTLPAttributes) -> [UInt8] {
    var writer = JSONWriter(mask: mask)
    writer.object { json in
      json.word("traceId", trace.id)
      json.word("spanId", span.id)
      if let parent = span.parent { json.word("parentSpanId", parent) }
      json.member("name", span.name)
      json.raw("kind", "\(span.kind.rawValue)")
      json.word("startTimeUnixNano", nanoseconds(span.times.lowerBound))
      json.word("endTimeUnixNano", nanoseconds(span.times.upperBound))
      attributes.write(in: &json)
      if !span.events.isEmpty {
        json.array("events", span.events) { json, event in
          json.object { json in
            json.word("timeUnixNano", nanoseconds(event.time))
            json.word("name", "\(event.name)")
          }
        }
      }
      json.object("status") { json in
        // In OTLP, 1 means success and 2 an error.
        if span.error != nil || span.isGood { json.raw("code", span.error == nil ? "1" : "2") }
        json.member("message", span.error)
      }
    }
    return writer.bytes
  }

  /// Returns a time in nanoseconds since 1970. A time after the year 2262, which only a wrong clock gives, becomes the latest possible time.
  private func nanoseconds(_ microseconds: Int) -> String {
    let (nanoseconds, overflow) = (begin + microseconds).multipliedReportingOverflow(by: 1_000)
    return "\(overflow ? Int.max : nanoseconds)"
  }
}
