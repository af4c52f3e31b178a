import GarlandText

/// Converts a response to a script: the bytes to send, with pauses and actions.
enum ResponseAssembler {
  struct Result {
    let steps: [WireStep]
    let keepsConnection: Bool
    /// The status that is sent. Nil if the response consists of prepared raw bytes, which may not be valid HTTP.
    let status: Int?
    /// Whether the response intentionally breaks the HTTP exchange, as a fault for tests.
    let breaks: Bool
  }

  static func assemble(_ response: SandboxResponse, method: String, version: String, keepsConnection: Bool, date: String) -> Result {
    var steps: [WireStep] = response.delay > .zero ? [.pause(response.delay)] : []
    if case .raw(let script) = response.body {
      return Result(steps: steps + script, keepsConnection: false, status: nil, breaks: true)
    }
    var keepsConnection = keepsConnection && !response.closes
    var length: UInt64?
    var isChunked = false
    var content: [WireStep] = []
    switch response.body {
    case .none, .raw: break
    case .bytes(let bytes):
      length = UInt64(bytes.count)
      if !bytes.isEmpty { content = [.write(bytes)] }
    case .pattern(let pattern, let range, let chunked):
      // HTTP/1.0 has no chunked coding, so the end of the connection is the end of the body (RFC 9112 section 6.3).
      isChunked = chunked && version != "1.0"
      if !chunked { length = range.upperBound - range.lowerBound } else if !isChunked { keepsConnection = false }
      content = [.pattern(pattern, range: range, chunked: isChunked)]
    case .paced(let paced, let count):
      length = UInt64(count)
      content = paced
    }
    var head =
      "HTTP/1.1 \(response.status) \(response.reason ?? StatusPhrase.of(response.status) ?? "")\r\nDate: \(date)\r\nServer: garland-sandbox\r\n"
    for field in response.headers {
      // Values may come from requests, and a line break in a value must not begin another field.
      head += "\(fieldText(field.name)): \(fieldText(field.value))\r\n"
    }
    // A response with the status 204 or 304 has no content and no length (RFC 9110 sections 8.6 and 15.4.5).
    let hasContent = response.status >= 200 && response.status != 204 && response.status != 304
    if hasContent, !response.headers.contains("Content-Length") {
      if let length { head += "Content-Length: \(length)\r\n" } else if isChunked { head += "Transfer-Encoding: chunked\r\n" }
    }
    if !keepsConnection { head += "Connection: close\r\n" } else if version == "1.0" { head += "Connection: keep-alive\r\n" }
    head += "\r\n"
    if hasContent, method != "HEAD", case .write(let bytes)? = content.first, content.count == 1 {
      steps.append(.write(Array(head.utf8) + bytes))
    } else {
      steps.append(.write(Array(head.utf8)))
      if hasContent, method != "HEAD" { steps += content }
    }
    return Result(steps: steps, keepsConnection: keepsConnection, status: response.status, breaks: false)
  }

  private static func fieldText(_ text: String) -> String {
    let isClean = !text.utf8.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }
    if isClean { return text }
    return String(decoding: text.utf8.map { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
  }
}
