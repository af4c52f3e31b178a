import GarlandResults
import GarlandText

/// Creates the entry of an HTTP Archive for one hop of an exchange. A hop is one request with its response, such as a redirect.
struct HAREntry {
  let mask: Mask
  /// The start of the run in milliseconds since 1970.
  let runStartedAt: Int
  /// The identifier of the archive's page that represents the step's workflow file; nil if the file has no page.
  let page: String?
  let includesBodies: Bool

  /// The maximum number of bytes of a body in the archive. The rest of a larger body is omitted.
  static let bodyLimit = 256 << 10
  /// The value that HTTP Archive uses for an unknown number.
  private static let unknown = -1

  func bytes(
    of hop: Exchange.Hop, _ index: Int, in exchange: Exchange, of result: StepResult, startedAt: Duration
  ) -> [UInt8] {
    let isLast = index == exchange.hops.count - 1
    // A redirect that changes the method to GET removes the body.
    let hasBody = index == 0 || hop.method == exchange.hops[0].method
    var writer = JSONWriter(mask: mask)
    writer.object { json in
      json.member("pageref", page)
      json.member("startedDateTime", TimeText.rfc3339(milliseconds: runStartedAt + Readable.microseconds(startedAt) / 1_000))
      json.raw("time", Readable.milliseconds(hop.timing.recorded.total))
      write(hop, body: hasBody ? exchange.requestBody : nil, in: &json)
      write(answerTo: hop, body: isLast ? exchange.responseBody : nil, error: isLast ? exchange.error : nil, in: &json)
      json.object("cache") { _ in }
      write(hop.timing.recorded, in: &json)
      if let address = hop.timing.remoteAddress { json.member("serverIPAddress", Self.withoutPort(address)) }
      json.member("connection", hop.timing.localPort.map { "\($0)" })
      json.member("_step", result.step.id)
      json.member("_iteration", result.iteration)
      json.member("_label", exchange.label)
      json.word("_outcome", result.outcome.rawValue)
      if result.isFlaky { json.member("_flaky", true) }
      if hop.timing.source != .network { json.word("_cache", hop.timing.source.rawValue) }
      if isLast, let stream = exchange.stream { write(stream, startedAt: startedAt, in: &json) }
    }
    return writer.bytes
  }

  // MARK: Streams

  /// Writes the messages of a WebSocket connection in the same fields as Chrome does. The items of other streams, such as server-sent
  /// events, are omitted, because the format has no fields for them.
  private func write(_ stream: Exchange.Stream, startedAt: Duration, in json: inout JSONWriter) {
    let words = StreamWords.text(of: stream, mask)
    guard stream.items == "messages" else {
      return json.member("comment", "\(words); the format has no place for items of a stream")
    }
    json.word("_resourceType", "websocket")
    guard includesBodies, !stream.messages.isEmpty else {
      return json.member("comment", stream.count == 0 ? words : "\(words); the messages were not kept")
    }
    json.array("_webSocketMessages", stream.messages) { json, message in
      json.object { json in
        json.word("type", message.isSent ? "send" : "receive")
        if let time = message.time { json.raw("time", Self.epochSeconds(runStartedAt, startedAt + time)) }
        json.member("opcode", message.isBinary ? 2 : 1)
        json.member("data", message.isBinary ? "" : message.text)
        if message.isBinary { json.member("comment", message.text) }
      }
    }
    let earlier = stream.omittedMessages
    json.member("comment", words + (earlier == 0 ? "" : "; \(Readable.count(earlier, "earlier message")) not kept"))
  }

  /// Returns a moment as seconds since 1970, with six decimals.
  ///
  /// - Parameters:
  ///   - milliseconds: the start of the run, since 1970.
  ///   - later: the time between the start of the run and the moment.
  private static func epochSeconds(_ milliseconds: Int, _ later: Duration) -> String {
    let microseconds = milliseconds * 1_000 + Readable.microseconds(later)
    let fraction = String(1_000_000 + microseconds % 1_000_000).dropFirst()
    return "\(microseconds / 1_000_000).\(fraction)"
  }

  // MARK: The request

  private func write(_ hop: Exchange.Hop, body: Exchange.Body?, in json: inout JSONWriter) {
    json.object("request") { json in
      json.member("method", hop.method)
      json.member("url", hop.url)
      json.word("httpVersion", Self.version(hop.timing.version))
      json.array("cookies", HARCookie.sent(in: hop.requestFields, mask)) { $1.write(in: &$0) }
      json.array("headers", hop.requestFields, Self.write)
      // Secrets are masked first, since parts of a secret could not be recognised later.
      json.array("queryString", Self.query(of: mask.text(hop.url)), Self.write)
      if let body, body.size > 0 || !body.bytes.isEmpty { write(posted: body, in: &json) }
      json.member("headersSize", hop.timing.sizes?.requestHead ?? Self.unknown)
      json.member("bodySize", hop.timing.sizes?.requestBody ?? body?.size ?? 0)
    }
  }

  private func write(posted body: Exchange.Body, in json: inout JSONWriter) {
    json.object("postData") { json in
      json.member("mimeType", body.type ?? "")
      guard includesBodies else {
        json.member("text", "")
        json.member("comment", "the body was not kept")
        return
      }
      let encoded = EncodedBody(body, mask: mask, limit: Self.bodyLimit)
      if Charset.mediaType(body.type)?.hasPrefix("multipart/") == true {
        // A form with parts is recorded as a list of the parts.
        json.array("params", [Exchange.Field]()) { Self.write(&$0, $1) }
        json.member("comment", "parts: \(encoded.text ?? "")")
      } else {
        json.member("text", encoded.text ?? "")
        json.member("comment", comment(on: body, encoded, fileVerb: "read from"))
      }
    }
  }

  private func comment(on body: Exchange.Body, _ encoded: EncodedBody, fileVerb: String) -> String? {
    if let file = body.file { return "\(Readable.size(body.size)), \(fileVerb) \(file)" }
    if body.isBrokenOff { return "broken off: the transfer failed after \(Readable.size(body.size))" }
    if body.bytes.isEmpty, body.size > 0 { return "\(Readable.size(body.size)), which were not kept" }
    if encoded.base64 != nil, fileVerb == "read from" { return "\(Readable.size(body.size)) that are not text" }
    return encoded.isComplete ? nil : "cut: only the beginning of \(Readable.size(body.size))"
  }

  // MARK: The response

  private func write(answerTo hop: Exchange.Hop, body: Exchange.Body?, error: String?, in json: inout JSONWriter) {
    json.object("response") { json in
      json.member("status", hop.status ?? 0)
      json.word("statusText", hop.status.flatMap(StatusPhrase.of) ?? "")
      json.word("httpVersion", hop.status == nil ? "" : Self.version(hop.timing.version))
      json.array("cookies", HARCookie.received(in: hop.responseFields, mask)) { $1.write(in: &$0) }
      json.array("headers", hop.responseFields, Self.write)
      write(content: body, of: hop, in: &json)
      let isRedirect = hop.status.map { (300...399).contains($0) } ?? false
      json.member("redirectURL", isRedirect ? Self.value(of: "location", in: hop.responseFields) ?? "" : "")
      json.member("headersSize", hop.timing.sizes?.responseHead ?? Self.unknown)
      json.member("bodySize", hop.timing.sizes?.responseBody ?? Self.unknown)
      json.member("_error", error)
    }
  }

  private func write(content body: Exchange.Body?, of hop: Exchange.Hop, in json: inout JSONWriter) {
    json.object("content") { json in
      json.member("size", body?.size ?? hop.timing.sizes?.responseBody ?? 0)
      let saved = (body?.size ?? 0) - (hop.timing.sizes?.responseBody ?? 0)
      if hop.timing.sizes != nil, body != nil, saved > 0 { json.member("compression", saved) }
      json.member("mimeType", body?.type ?? Self.value(of: "content-type", in: hop.responseFields) ?? "x-unknown")
      guard let body, body.size > 0 else { return }
      guard includesBodies else { return json.member("comment", "the body was not kept") }
      let encoded = EncodedBody(body, mask: mask, limit: Self.bodyLimit)
      json.member("text", encoded.text)
      if let base64 = encoded.base64 {
        json.raw("text", "\"\(base64)\"")
        json.word("encoding", "base64")
      }
      json.member("comment", comment(on: body, encoded, fileVerb: "written to"))
    }
  }

  // MARK: Times

  private func write(_ timing: Exchange.Timing, in json: inout JSONWriter) {
    let phases = timing.phases
    json.object("timings") { json in
      func phase(_ name: StaticString, _ duration: Duration, _ isKnown: Bool = true) {
        json.raw(name, isKnown ? Readable.milliseconds(duration) : "\(Self.unknown)")
      }
      phase("blocked", phases.queue)
      phase("dns", phases.nameLookup, timing.nameLookup != nil)
      // In HAR, the time of TLS is part of the phase `connect`.
      phase("connect", phases.connect + phases.tls, timing.connect != nil || phases.connect > .zero)
      phase("ssl", phases.tls, timing.tls != nil)
      phase("send", phases.send)
      phase("wait", phases.wait)
      phase("receive", phases.receive)
    }
  }

  // MARK: Parts

  private static func write(_ json: inout JSONWriter, _ field: Exchange.Field) {
    json.object { json in
      json.member("name", field.name)
      json.member("value", field.value)
    }
  }

  private static func value(of name: String, in fields: [Exchange.Field]) -> String? {
    fields.first { $0.name.lowercased() == name }?.value
  }

  private static func version(_ version: String?) -> String { version.map { "HTTP/\($0)" } ?? "" }

  private static func withoutPort(_ address: String) -> String {
    if address.hasPrefix("["), let end = address.firstIndex(of: "]") {
      return String(address[address.index(after: address.startIndex)..<end])
    }
    return address.lastIndex(of: ":").map { String(address[..<$0]) } ?? address
  }

  private static func query(of url: String) -> [Exchange.Field] {
    guard let mark = url.firstIndex(of: "?") else { return [] }
    let query = url[url.index(after: mark)...].prefix { $0 != "#" }
    return query.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return Exchange.Field(decoded(parts[0]), parts.count > 1 ? decoded(parts[1]) : "")
    }
  }

  /// Decodes the percent-encoding of a form field. Returns the text unchanged if the decoded text would not be UTF-8.
  private static func decoded(_ text: Substring) -> String {
    PercentEncoding.text(validating: text, plusIsSpace: true) ?? String(text)
  }
}
