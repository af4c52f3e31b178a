import GarlandDiagnostics
import GarlandResults
import GarlandText

/// Shows a body as lines of text: JSON is indented, other text is unchanged, and binary content is described.
struct BodyText {
  let mask: Mask

  /// The content of a body, as it is shown: lines of text, or a description of binary content.
  private enum Content {
    case lines([StyledText])
    case description(StyledText)
  }

  /// Returns a summary of a body in one line, such as `12.3 KiB of application/json` or `1.2 MiB of image/png, written to out/cover.png`.
  func summary(_ body: Exchange.Body, fileVerb: String) -> StyledText {
    var text = StyledText(Readable.size(body.size))
    if let type = Charset.mediaType(body.type) { text.append(" of \(mask.line(type))") }
    if let file = body.file { text.append(", \(fileVerb) \(mask.line(file))") }
    if body.isBrokenOff { text.append(", then broken off") }
    return text
  }

  /// Returns the body's lines.
  ///
  /// - Parameters:
  ///   - body: the body that was received or sent.
  ///   - fileVerb: the words before the path of a body in a file: `written to` or `read from`.
  ///   - limit: the maximum number of lines. If the body has more lines, a last line names the number of omitted lines.
  func lines(_ body: Exchange.Body, fileVerb: String, limit: Int) -> [StyledText] {
    if body.file != nil || body.bytes.isEmpty { return [StyledText("(\(summary(body, fileVerb: fileVerb).plain))", .dim)] }
    switch content(of: body, limit: limit) {
    case .description(let text): return [text]
    case .lines(var lines):
      let isCut = lines.count > limit
      if isCut { lines = Array(lines.prefix(limit)) }
      if isCut || !body.isComplete {
        let kept = body.isComplete ? "" : ", of which the first \(Readable.size(body.bytes.count)) are known"
        lines.append(StyledText("… (\(isCut ? "the rest of " : "")\(Readable.size(body.size))\(kept))", .dim))
      }
      if body.isBrokenOff { lines.append(StyledText("… (broken off after \(Readable.size(body.size)))", .dim)) }
      return lines
    }
  }

  private func content(of body: Exchange.Body, limit: Int) -> Content {
    let bytes = mask.bytes(body.bytes, isComplete: body.isComplete)
    let type = Charset.mediaType(body.type)
    let charset = Charset.declared(in: body.type).map { body.isInUTF8 ? "utf-8" : $0 }
    guard !BodyText.isBinary(bytes, type: type, charset: charset),
      let text = Charset.decode(bytes, charset: charset, isComplete: body.isComplete)
    else {
      let first = bytes.prefix(16).map { Hex.padded($0) }.joined(separator: " ")
      return .description(StyledText("(\(summary(body, fileVerb: "").plain), no text: \(first)\(bytes.count > 16 ? " …" : ""))", .dim))
    }
    // In another charset than UTF-8, a secret is visible only after decoding.
    let masked = charset == nil ? text : String(decoding: mask.bytes(Array(text.utf8), isComplete: body.isComplete), as: UTF8.self)
    if BodyText.isJSON(type, text: masked), let lines = JSONText.lines(of: masked, mask: mask, limit: limit) { return .lines(lines) }
    var lines = mask.lines(masked)
    while lines.last == "" { lines.removeLast() }
    return .lines(lines.prefix(limit + 1).map { StyledText($0) })
  }

  private static func isJSON(_ type: String?, text: String) -> Bool {
    if let type, type != "text/plain" { return type == "application/json" || type == "text/json" || type.hasSuffix("+json") }
    let first = text.utf8.first { $0 > 0x20 }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  private static func isBinary(_ bytes: [UInt8], type: String?, charset: String?) -> Bool {
    if let type {
      let isImageOfText = type == "image/svg+xml"
      for prefix in ["image/", "audio/", "video/", "font/"] where type.hasPrefix(prefix) && !isImageOfText { return true }
      if ["application/zip", "application/gzip", "application/pdf", "application/wasm"].contains(type) { return true }
    }
    // UTF-16 and UTF-32 are full of zero bytes.
    return charset?.hasPrefix("utf-") != true && bytes.prefix(8_192).contains(0)
  }
}
