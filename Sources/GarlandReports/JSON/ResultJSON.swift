import GarlandDiagnostics
import GarlandJSON
import GarlandResults

/// Writes results and plan steps with the structure of `schemas/report.schema.json`.
struct ResultJSON {
  let mask: Mask
  /// Whether to write the bodies of steps that passed.
  let includesAllBodies: Bool

  func step(_ step: StepIdentity, dependencies: [Int], source: StepDefinition?) -> [UInt8] {
    var writer = JSONWriter(mask: mask)
    writer.object { json in
      identify(step, in: &json)
      let start = step.range.start
      json.member("line", start.line)
      json.member("column", start.column)
      json.member("workflow", step.workflow)
      json.member("description", step.summary)
      if !step.tags.isEmpty { json.array("tags", step.tags) { $0.string($1) } }
      json.member("action", step.action)
      if !step.isRequest || !StepIdentity.isRequest(action: step.action) { json.member("request", step.isRequest) }
      if step.isCleanup { json.member("cleanup", true) }
      json.member("loopLimit", step.loopLimit)
      if let quarantine = step.quarantine {
        json.object("quarantine") { json in
          json.member("reason", quarantine.reason)
          json.member("until", quarantine.until)
        }
      }
      json.array("dependsOn", dependencies) { $0.number($1) }
      if let source { write(source, in: &json) }
    }
    return writer.bytes
  }

  private func write(_ source: StepDefinition, in json: inout JSONWriter) {
    if let text = SourceLines.text(of: source.range) {
      json.member("source", text)
      json.member("sourceLine", source.range.start.line)
    }
    guard !source.checks.isEmpty else { return }
    json.array("checks", source.checks) { json, check in
      json.object { json in
        json.member("subject", check.subject)
        locate(check.range, in: &json)
        json.member("length", SourceLines.length(of: check.range))
      }
    }
  }

  func result(_ result: StepResult) -> [UInt8] {
    var writer = JSONWriter(mask: mask)
    write(&writer, result)
    return writer.bytes
  }

  func write(_ json: inout JSONWriter, _ result: StepResult) {
    json.object { json in
      identify(result.step, in: &json)
      json.member("iteration", result.iteration)
      json.member("iterationIndex", result.iterationIndex)
      if result.itemCount > 1 { json.member("items", result.itemCount) }
      json.word("outcome", result.outcome.rawValue)
      if result.isFailureAllowed { json.member("failureAllowed", true) }
      if result.isCutOff { json.member("cutOff", true) }
      json.member("reason", result.reason)
      if !result.blockedBy.isEmpty {
        json.array("blockedBy", result.blockedBy) { json, step in json.object { identify(step, in: &$0) } }
      }
      json.member("readyAt", result.readyAt)
      if result.delay > .zero { json.member("delay", result.delay) }
      json.member("startedAt", result.startedAt)
      // The end is computed from the rounded values that are written, so that reading the report gives the same values.
      json.member("endedAt", .microseconds(Readable.microseconds(result.startedAt) + Readable.microseconds(result.duration)))
      json.member("seconds", result.duration)
      json.member("checks", result.checkCount)
      if result.found.contains(where: { $0 != nil }) { json.array("found", result.found) { $0.stringOrNull($1) } }
      if !result.failures.isEmpty { json.array("failures", result.failures, write) }
      if !result.exchanges.isEmpty {
        json.array("exchanges", result.exchanges) { write($1, includesBodies: includesAllBodies || result.outcome.isProblem, in: &$0) }
      }
      if result.omittedRequests > 0 { json.member("omittedRequests", result.omittedRequests) }
      if !result.extracted.isEmpty {
        json.object("extracted") { json in
          for (name, value) in result.extracted { write(value, named: mask.text(name), in: &json) }
        }
      }
      if result.isFlaky { json.member("flaky", true) }
      if !result.earlier.isEmpty { json.array("earlier", result.earlier, write) }
    }
  }

  func notice(_ diagnostic: Diagnostic) -> [UInt8] {
    var writer = JSONWriter(mask: mask)
    writer.object { json in
      json.word("severity", diagnostic.severity.rawValue)
      json.word("code", diagnostic.code.rawValue)
      json.member("message", diagnostic.message)
      quote(diagnostic.range, in: &json)
      if !diagnostic.notes.isEmpty { json.array("notes", diagnostic.notes) { $0.string($1.message) } }
      if !diagnostic.helps.isEmpty { json.array("help", diagnostic.helps) { $0.string($1.message) } }
    }
    return writer.bytes
  }

  private func identify(_ step: StepIdentity, in json: inout JSONWriter) {
    json.member("step", step.index)
    json.member("id", step.id)
    json.member("file", step.file)
  }

  private func locate(_ range: SourceRange?, in json: inout JSONWriter) {
    guard let range else { return }
    let start = range.start
    json.member("file", range.file.name)
    json.member("line", start.line)
    json.member("column", start.column)
  }

  /// Writes the position and the length of a range, and the line in which it begins.
  private func quote(_ range: SourceRange?, in json: inout JSONWriter) {
    guard let range else { return }
    locate(range, in: &json)
    json.member("length", SourceLines.length(of: range))
    json.member("source", SourceLines.firstLine(of: range))
  }

  private func write(_ json: inout JSONWriter, _ failure: CheckFailure) {
    json.object { json in
      json.word("kind", failure.kind.rawValue)
      json.member("subject", failure.subject)
      json.member("message", failure.message)
      json.member("errorKind", failure.errorKind)
      json.member("expected", failure.expected)
      json.member("actual", failure.actual)
      if !failure.difference.isEmpty { json.array("difference", failure.difference) { $0.string($1) } }
      json.member("excerpt", failure.excerpt)
      quote(failure.range, in: &json)
      json.member("help", failure.help)
    }
  }

  private func write(_ exchange: Exchange, includesBodies: Bool, in json: inout JSONWriter) {
    json.object { json in
      json.member("label", exchange.label)
      if exchange.isIncoming { json.member("incoming", true) }
      json.member("error", exchange.error)
      if let stream = exchange.stream {
        json.object("stream") { json in
          json.member("items", stream.items)
          json.member("count", stream.count)
          json.member("timeToFirst", stream.timeToFirst)
          guard !stream.messages.isEmpty else { return }
          if stream.omittedMessages > 0 { json.member("omittedMessages", stream.omittedMessages) }
          json.array("messages", stream.messages) { json, message in
            json.object { json in
              json.member("sent", message.isSent)
              json.member("text", message.text)
              if message.isBinary { json.member("binary", true) }
              json.member("time", message.time)
            }
          }
        }
      }
      json.array("hops", exchange.hops, write)
      if let body = exchange.requestBody { write("requestBody", body, includesBytes: includesBodies, in: &json) }
      if let body = exchange.responseBody { write("responseBody", body, includesBytes: includesBodies, in: &json) }
      json.member("curl", exchange.curlCommand)
    }
  }

  private func write(_ json: inout JSONWriter, _ hop: Exchange.Hop) {
    json.object { json in
      json.member("method", hop.method)
      json.member("url", hop.url)
      json.member("status", hop.status)
      json.member("startedAt", hop.timing.startedAt)
      json.array("requestHeaders", hop.requestFields, write)
      json.array("responseHeaders", hop.responseFields, write)
      json.object("timing") { json in
        json.member("nameLookup", hop.timing.nameLookup)
        json.member("connect", hop.timing.connect)
        json.member("tls", hop.timing.tls)
        json.member("requestStart", hop.timing.requestStart)
        json.member("requestSent", hop.timing.requestSent)
        json.member("firstByte", hop.timing.firstByte)
        json.member("total", hop.timing.total)
      }
      if hop.timing.startedAt != nil {
        json.object("phases") { json in
          for phase in hop.timing.recorded.phases.named where phase.duration > .zero { json.member(phase.name, phase.duration) }
        }
      }
      json.member("reusedConnection", hop.timing.isReused)
      if hop.timing.isSentAgain { json.member("sentAgain", true) }
      if hop.timing.source != .network { json.member("cache", hop.timing.source.rawValue) }
      json.member("httpVersion", hop.timing.version)
      json.member("remoteAddress", hop.timing.remoteAddress)
      json.member("localPort", hop.timing.localPort)
      if let sizes = hop.timing.sizes { write(sizes, in: &json) }
      if let security = hop.timing.security { write(security, in: &json) }
    }
  }

  private func write(_ sizes: Exchange.Sizes, in json: inout JSONWriter) {
    json.object("wireBytes") { json in
      json.member("requestHead", sizes.requestHead)
      json.member("requestBody", sizes.requestBody)
      json.member("responseHead", sizes.responseHead)
      json.member("responseBody", sizes.responseBody)
    }
  }

  private func write(_ security: Exchange.Security, in json: inout JSONWriter) {
    json.object("tls") { json in
      json.member("version", security.version)
      json.member("cipher", security.cipher)
      json.member("subject", security.subject)
      json.member("issuer", security.issuer)
      json.member("expiresAt", security.expiresAt.map { TimeText.rfc3339(Double($0)) })
    }
  }

  private func write(_ json: inout JSONWriter, _ field: Exchange.Field) {
    json.object { json in
      json.member("name", field.name)
      json.member("value", field.value)
    }
  }

  private func write(_ name: StaticString, _ body: Exchange.Body, includesBytes: Bool, in json: inout JSONWriter) {
    json.object(name) { json in
      json.member("size", body.size)
      json.member("type", body.type)
      json.member("file", body.file)
      if body.isBrokenOff { json.member("brokenOff", true) }
      guard includesBytes, !body.bytes.isEmpty else { return }
      let encoded = EncodedBody(body, mask: mask)
      if let text = encoded.text { json.member("text", text) }
      if let base64 = encoded.base64 { json.raw("base64", "\"\(base64)\"") }
      if !body.isComplete { json.member("truncated", true) }
    }
  }

  /// Masks the secrets in `jsonText`, and writes a member with this JSON text as its value. The caller must already have masked the name.
  /// If the masked text is no longer valid JSON, the value is the masked text as a string.
  private func write(_ jsonText: String, named name: String, in json: inout JSONWriter) {
    let text = mask.text(jsonText)
    // Without a secret, the text is written as it is: its values may need much more memory than the text.
    guard text != jsonText else { return json.raw(named: name, jsonText) }
    do throws(JSONParsingError) {
      json.member(named: name, try JSONValue(parsing: text))
    } catch {
      // A masked number is no longer valid JSON.
      json.member(named: name, .string(text))
    }
  }
}
