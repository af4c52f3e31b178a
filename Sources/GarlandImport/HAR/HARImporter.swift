import GarlandDiagnostics
import GarlandJSON

/// Imports requests from a recording of a browser or proxy (HTTP Archive 1.2).
enum HARImporter {
  static func collection(from root: JSONValue, _ file: SourceFile) -> ImportedCollection {
    var collection = ImportedCollection()
    guard let entries = root["log"]?["entries"]?.arrayValue else {
      collection.refuse("the member `log.entries` of this HAR file is missing, or is not a list", at: file.start)
      return collection
    }
    collection.name = root["log"]?["pages"]?[0]?["title"]?.stringValue
    var skipped = 0
    var droppedCookies = false
    // The requests with masked values, by the names of the secrets that replace the values.
    var gaps: [(names: [String], requests: [String])] = []
    var masked = MaskedValues.areExpected(in: root) ? MaskedValues() : nil
    for (index, entry) in entries.enumerated() {
      guard let recorded = entry["request"], recorded.objectValue != nil, let url = recorded["url"]?.stringValue else {
        collection.warn("entry \(index + 1) of the HAR file has no request, and was left out")
        continue
      }
      if isWebSocket(entry, url) {
        collection.warn(
          "entry \(index + 1) of the HAR file, `\(cut(url))`, is a WebSocket connection, and was left out",
          help: "write a step with `websocket`, and the messages in its `talk`")
        continue
      }
      guard isImported(entry, url) else {
        skipped += 1
        continue
      }
      if var request = request(recorded, entry["response"], url, &droppedCookies) {
        if masked != nil { tellOfGaps(in: recorded, of: request, &collection) }
        let names = masked?.replace(in: &request) ?? []
        if !names.isEmpty {
          let shown = "`\(request.method) \(cut(url))`"
          if let known = gaps.firstIndex(where: { $0.names == names }) {
            gaps[known].requests.append(shown)
          } else {
            gaps.append((names, [shown]))
          }
        }
        collection.requests.append(request)
      } else {
        collection.warn("entry \(index + 1) of the HAR file, `\(cut(url))`, is not an HTTP request, and was left out")
      }
    }
    warn(of: gaps, &collection)
    collection.secrets = masked?.names ?? []
    if skipped > 0 {
      collection.warn(
        "\(skipped) \(skipped == 1 ? "request" : "requests") for pictures, style sheets, scripts and fonts \(skipped == 1 ? "was" : "were") left out"
      )
    }
    if droppedCookies {
      collection.warn(
        "the recorded cookies were left out: in a run, the steps send the cookies that the server sets",
        help: "if the recording began after a login, add a step that logs in")
    }
    return collection
  }

  /// Warns that the archive masks values of requests. Requests with the same secrets share one warning.
  ///
  /// - Parameter gaps: for each warning, the requests with masked values, and the names of the secrets that replace these values in the
  ///   workflow.
  private static func warn(of gaps: [(names: [String], requests: [String])], _ collection: inout ImportedCollection) {
    for gap in gaps {
      let others = gap.requests.count - 1
      let more = others == 0 ? "" : " and of \(others) other request\(others == 1 ? "" : "s")"
      collection.warn(
        "the HAR file masks values of \(gap.requests[0])\(more)",
        help:
          "give the values with the \(gap.names.count == 1 ? "secret" : "secrets") \(gap.names.map { "`\($0)`" }.joined(separator: ", "))")
    }
  }

  /// Warns if the archive does not contain the whole body of a request. In an archive that Garland wrote, such a body has a comment.
  private static func tellOfGaps(in recorded: JSONValue, of request: ImportedRequest, _ collection: inout ImportedCollection) {
    guard let comment = recorded["postData"]?["comment"]?.stringValue else { return }
    collection.warn("the HAR file does not have the whole body of the request `\(request.method) \(cut(request.url.source))`: \(comment)")
  }

  private static func cut(_ text: String) -> String { text.count > 80 ? text.prefix(80) + "…" : text }

  /// Whether an entry is the handshake request of a WebSocket connection. Browsers record the messages of the connection in separate
  /// fields.
  private static func isWebSocket(_ entry: JSONValue, _ url: String) -> Bool {
    if ["ws://", "wss://"].contains(where: url.lowercased().hasPrefix) { return true }
    return entry["_resourceType"]?.stringValue == "websocket" || entry["response"]?["status"]?.intValue == 101
  }

  /// Whether an entry may be a request to an API. False for a part of a page, such as an image, a font or a script.
  private static func isImported(_ entry: JSONValue, _ url: String) -> Bool {
    guard url.lowercased().hasPrefix("http") else { return false }
    if let kind = entry["_resourceType"]?.stringValue {
      return !["image", "stylesheet", "script", "font", "media", "manifest", "ping", "preflight"].contains(kind)
    }
    let type = entry["response"]?["content"]?["mimeType"]?.stringValue?.lowercased() ?? ""
    if type.hasPrefix("image/") || type.hasPrefix("font/") || type.hasPrefix("video/") || type.hasPrefix("audio/") { return false }
    if type.contains("javascript") || type.contains("css") || type.contains("font") { return false }
    return true
  }

  /// Whether a header field is not imported, because the transport adds it itself or because it only describes the browser.
  private static func isDropped(_ name: String) -> Bool {
    let name = name.lowercased()
    if name.hasPrefix(":") || name.hasPrefix("sec-") { return true }
    return [
      "host", "connection", "content-length", "accept-encoding", "user-agent", "cookie", "upgrade-insecure-requests", "dnt", "priority",
      "pragma",
      "cache-control", "if-none-match", "if-modified-since", "te", "keep-alive", "proxy-connection", "accept-language", "referer",
      "transfer-encoding", "x-client-data",
    ].contains(name)
  }

  private static func request(
    _ recorded: JSONValue, _ response: JSONValue?, _ url: String, _ droppedCookies: inout Bool
  ) -> ImportedRequest? {
    var request = ImportedRequest()
    request.method = recorded["method"]?.stringValue?.uppercased() ?? "GET"
    guard !request.method.isEmpty, request.method.utf8.allSatisfy({ (0x41...0x5A).contains($0) || $0 == 0x2D }) else { return nil }
    let plain = url.prefix { $0 != "#" }
    let scheme = plain.range("://").map { plain[..<$0.lowerBound].lowercased() }
    guard scheme == "http" || scheme == "https", plain.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), plain.count > 8 else { return nil }
    request.url = ImportedText(String(plain))
    for header in recorded["headers"]?.arrayValue ?? [] {
      guard let name = header["name"]?.stringValue, let value = header["value"]?.stringValue else { continue }
      if name.lowercased() == "cookie" { droppedCookies = true }
      let isField = !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !Array("()<>@,;:\\\"/[]?={}".utf8).contains($0) }
      guard isField, !isDropped(name), !value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 }) else { continue }
      if name.lowercased() == "authorization", value.lowercased().hasPrefix("bearer ") {
        request.credentials = .bearer(ImportedText(String(value.dropFirst(7))))
      } else {
        request.headers.append((name, ImportedText(value)))
      }
    }
    addBody(recorded["postData"], &request)
    addStream(of: response, &request)
    if let status = response?["status"]?.intValue, (100...599).contains(status), status != 200, status != 304 {
      request.expect("status", .number(String(status)))
    }
    return request
  }

  /// Adds the key `events` or `parts` to the step of a request whose response was a stream. Since such a stream may have no end, the step
  /// ends after the first item. If the recording contains the event `[DONE]`, the step ends after this event instead.
  private static func addStream(of response: JSONValue?, _ request: inout ImportedRequest) {
    let keys = ["text/event-stream": "events", "multipart/x-mixed-replace": "parts"]
    guard request.method != "HEAD", let status = response?["status"]?.intValue, (200...299).contains(status), status != 204,
      let content = response?["content"],
      let type = content["mimeType"]?.stringValue?.prefix(while: { $0 != ";" && $0 != " " }).lowercased(), let key = keys[type]
    else { return }
    if request.header("Accept")?.literal?.lowercased() == type { request.removeHeader("Accept") }
    let lines = content["text"]?.stringValue?.split(whereSeparator: \.isNewline) ?? []
    let isDone = key == "events" && lines.contains { $0 == "data: [DONE]" || $0 == "data:[DONE]" }
    let limit: (key: String, value: ImportedValue) =
      isDone ? ("until", .text(.expression("event.data == '[DONE]'"))) : ("count", .number("1"))
    request.settings.append((key, .object([limit, ("within", .string("30s"))])))
  }

  private static func addBody(_ data: JSONValue?, _ request: inout ImportedRequest) {
    guard let data, data.objectValue != nil else { return }
    let type = data["mimeType"]?.stringValue ?? request.header("Content-Type")?.literal ?? ""
    let essence = type.prefix { $0 != ";" }.lowercased()
    let text = data["text"]?.stringValue ?? ""
    let parameters = data["params"]?.arrayValue ?? []
    switch essence {
    case _ where essence.contains("json"):
      guard let value = JSONTemplate.value(of: ImportedText(text)) else { break }
      if essence == "application/json" { request.removeHeader("Content-Type") }
      request.body = .json(value)
      return
    case "application/x-www-form-urlencoded":
      var pairs: [(name: ImportedText, value: ImportedText)] = []
      let parts = text.split(separator: "&")
      for part in parts {
        let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2, let name = FormDecoding.decoded(String(pair[0])), let value = FormDecoding.decoded(String(pair[1])) else {
          pairs = []
          break
        }
        pairs.append((ImportedText(name), ImportedText(value)))
      }
      if pairs.isEmpty, text.isEmpty {
        for parameter in parameters {
          guard let name = parameter["name"]?.stringValue else { continue }
          pairs.append((ImportedText(name), ImportedText(parameter["value"]?.stringValue ?? "")))
        }
      }
      guard !pairs.isEmpty else { break }
      request.removeHeader("Content-Type")
      request.body = .form(pairs)
      return
    case "multipart/form-data" where !parameters.isEmpty:
      request.removeHeader("Content-Type")
      request.body = .multipart(
        parameters.map { parameter in
          var part = ImportedRequest.Part(name: ImportedText(parameter["name"]?.stringValue ?? ""))
          // A recording does not contain the bytes of the file.
          if let file = parameter["fileName"]?.stringValue, !file.isEmpty {
            part.file = ImportedText(file)
          } else {
            part.text = ImportedText(parameter["value"]?.stringValue ?? "")
          }
          if let type = parameter["contentType"]?.stringValue, !type.isEmpty { part.type = ImportedText(type) }
          return part
        })
      return
    default: break
    }
    guard !text.isEmpty else { return }
    if request.header("Content-Type") == nil, !type.isEmpty { request.headers.append(("Content-Type", ImportedText(type))) }
    request.body = .text(ImportedText(text))
  }
}

extension Substring {
  fileprivate func range(_ text: String) -> Range<String.Index>? { String(self).range(text) }
}
