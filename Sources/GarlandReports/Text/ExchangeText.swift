import GarlandDiagnostics
import GarlandResults
import GarlandText

/// A request and its response in the form of `curl -v`: `>` marks sent lines, `<` received lines, and `*` measurements. A listening step
/// receives the request and sends the response, so `<` marks the lines of its request.
struct ExchangeText {
  /// The parts of an exchange that are shown.
  struct Parts: OptionSet {
    let rawValue: UInt8
    static let requestHead = Parts(rawValue: 1)
    static let requestBody = Parts(rawValue: 2)
    static let responseHead = Parts(rawValue: 4)
    static let responseBody = Parts(rawValue: 8)
    static let timing = Parts(rawValue: 16)

    static let heads: Parts = [.requestHead, .responseHead]
    static let everything: Parts = [.heads, .requestBody, .responseBody, .timing]
  }

  let mask: Mask
  let glyphs: Glyphs

  /// Returns the lines that show an exchange, without indentation.
  func lines(_ exchange: Exchange, parts: Parts, bodyLimit: Int) -> [StyledText] {
    var lines: [StyledText] = []
    let body = BodyText(mask: mask)
    if let label = exchange.label { lines.append(StyledText("* \(mask.line(label))", .note)) }
    if exchange.isIncoming { return lines + incoming(exchange, parts: parts, bodyLimit: bodyLimit) }
    for (index, hop) in exchange.hops.enumerated() {
      let isFirst = index == 0
      let isLast = index == exchange.hops.count - 1
      if parts.contains(.requestHead) {
        lines.append("\("> ", .dim)\(mask.line(hop.method), .emphasis) \(mask.line(hop.url), .url)")
        lines += fields(hop.requestFields, marker: "> ")
      }
      if parts.contains(.requestBody), isFirst, let sent = exchange.requestBody, sent.size > 0 || !sent.bytes.isEmpty {
        lines += body.lines(sent, fileVerb: "read from", limit: bodyLimit).map { "\("> ", .dim)\($0)" }
      }
      if parts.contains(.responseHead), let status = hop.status {
        lines.append("\("< ", .dim)\(statusLine(status, version: hop.timing.version))")
        lines += fields(hop.responseFields, marker: "< ")
      }
      if parts.contains(.responseBody), isLast, let received = exchange.responseBody, received.size > 0 || !received.bytes.isEmpty {
        let marker = parts.contains(.responseHead) ? "< " : "\(glyphs.gutter) "
        lines += body.lines(received, fileVerb: "written to", limit: bodyLimit).map { "\(marker, .dim)\($0)" }
      }
      if isLast, parts.contains(.responseBody), let stream = exchange.stream { lines += StreamWords.messages(of: stream, mask) }
      if isLast, let error = exchange.error { lines.append("\("! ", .failure)\(mask.line(error), .failure)") }
      if isLast, parts.contains(.timing), let stream = exchange.stream {
        lines.append(StyledText("* " + StreamWords.text(of: stream, mask), .dim))
      }
      if parts.contains(.timing) { lines.append(timing(hop.timing)) }
    }
    return lines
  }

  /// Returns the lines that show an exchange in which Garland received the request. The lines contain the headers and body of this request,
  /// and not those of the response.
  private func incoming(_ exchange: Exchange, parts: Parts, bodyLimit: Int) -> [StyledText] {
    guard let hop = exchange.hops.first else { return [] }
    var lines: [StyledText] = []
    if parts.contains(.responseHead) {
      lines.append("\("< ", .dim)\(mask.line(hop.method), .emphasis) \(mask.line(hop.url), .url)")
      lines += fields(hop.requestFields, marker: "< ")
    }
    if parts.contains(.responseBody), let received = exchange.requestBody, received.size > 0 {
      let marker = parts.contains(.responseHead) ? "< " : "\(glyphs.gutter) "
      lines += BodyText(mask: mask).lines(received, fileVerb: "written to", limit: bodyLimit).map { "\(marker, .dim)\($0)" }
    }
    if parts.contains(.requestHead), let status = hop.status {
      lines.append("\("> ", .dim)\(statusLine(status, version: hop.timing.version))")
    }
    return lines
  }

  /// Returns a status line, such as `HTTP/1.1 404 Not Found`.
  func statusLine(_ status: Int, version: String?) -> StyledText {
    var line = StyledText("HTTP" + (version.map { "/\(mask.line($0))" } ?? "") + " ", .dim)
    line.append("\(status)", ExchangeText.style(ofStatus: status))
    if let phrase = StatusPhrase.of(status) { line.append(" \(phrase)") }
    return line
  }

  static func style(ofStatus status: Int) -> StyledText.Style {
    switch status {
    case 200..<300: .success
    case 300..<400: .note
    case 400...: .failure
    default: .plain
    }
  }

  private func fields(_ fields: [Exchange.Field], marker: String) -> [StyledText] {
    fields.map { "\(marker, .dim)\(mask.line($0.name), .key): \(mask.line($0.value))" }
  }

  /// Returns the time of each phase, such as `* dns 1 ms · connect 2 ms · tls 10 ms · wait 20 ms · transfer 3 ms · 36 ms in all,
  /// 127.0.0.1:8080`.
  private func timing(_ timing: Exchange.Timing) -> StyledText {
    var parts: [String] = []
    var last = Duration.zero
    func phase(_ name: String, _ end: Duration?) {
      guard let end else { return }
      parts.append("\(name) \(Readable.duration(end - last))")
      last = max(last, end)
    }
    switch timing.source {
    case .network: break
    case .cache: parts.append("from the cache")
    case .validatedCache: parts.append("from the cache, unchanged on the server")
    case .staleCache: parts.append("from the cache, stale")
    }
    if timing.isSentAgain { parts.append("sent again: the kept connection was lost") }
    if timing.isReused { parts.append("connection reused") }
    phase("dns", timing.nameLookup)
    phase("connect", timing.connect)
    phase("tls", timing.tls)
    if let firstByte = timing.firstByte {
      phase("wait", firstByte)
      phase("transfer", timing.total)
    }
    parts.append("\(Readable.duration(timing.total)) in all")
    if let address = timing.remoteAddress { parts.append(mask.line(address)) }
    return StyledText("* " + parts.joined(separator: " \(glyphs.dot) "), .dim)
  }
}
