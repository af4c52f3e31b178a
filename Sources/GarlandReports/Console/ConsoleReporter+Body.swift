import GarlandDiagnostics
import GarlandResults

/// Prints only the body of one step's response, as ``ConsoleOptions/bodyAloneOf`` requests.
extension ConsoleReporter {
  /// The maximum number of bytes of a body that are printed to a terminal, where a user would not read more.
  private static let terminalBytes = 16 << 20
  private static let pieceBytes = 256 << 10

  /// Prints the response body of the step that ``ConsoleOptions/bodyAloneOf`` selects: formatted on a terminal, unchanged into a pipe or a
  /// file.
  func printBodyAlone() throws(ReportError) {
    guard options.bodyAloneOf != nil, let (name, body) = bodyAlone else { return }
    if case .lost(let failure)? = body.whole { throw .lostBody(step: name, reason: failure.reason) }
    if let file = body.file { return remark("the body is in \(mask.line(file))") }
    if body.whole == nil, body.bytes.isEmpty, body.size > 0 {
      return remark("the body of the step `\(name)` is not shown: its download was not kept")
    }
    if streams.standardOutput.isTerminal {
      var shown = body
      shown.bytes = try beginning(of: body, name)
      for line in BodyText(mask: mask).lines(shown, fileVerb: "written to", limit: .max - 1) { streams.standardOutput.add(line) }
      streams.standardOutput.flush()
      return
    }
    if let pause = options.commandPause { streams.standardOutput.write("::stop-commands::\(pause)\n") }
    let last = try write(body, name)
    if let pause = options.commandPause { streams.standardOutput.write((last == UInt8(ascii: "\n") ? "" : "\n") + "::\(pause)::\n") }
    guard body.whole == nil, !body.isComplete else { return }
    throw .incompleteBody(step: name, kept: body.bytes.count, size: body.size)
  }

  private func remark(_ text: String) {
    streams.diagnostics.add(StyledText(text))
    streams.diagnostics.flush()
  }

  private func beginning(of body: Exchange.Body, _ step: String) throws(ReportError) -> [UInt8] {
    switch body.whole {
    case .memory(let bytes): bytes
    case .file(let file): try piece(of: file, step, at: 0, count: Self.terminalBytes)
    case .lost(let failure)?: throw .lostBody(step: step, reason: failure.reason)
    case nil: body.bytes
    }
  }

  /// Writes the body of a step's response to standard output and returns the last byte of the body.
  private func write(_ body: Exchange.Body, _ step: String) throws(ReportError) -> UInt8? {
    let bytes: [UInt8]
    var written: UInt8?
    switch body.whole {
    case .file(let file):
      var offset = 0
      var last: UInt8?
      var rest: [UInt8] = []
      while offset < file.size, streams.standardOutput.isOpen {
        let piece = try piece(of: file, step, at: offset, count: Self.pieceBytes)
        offset += piece.count
        last = piece.last
        let isLast = offset == file.size
        let masked = mask.piece(piece, after: &rest, isLast: isLast)
        streams.standardOutput.write(harmless(masked, after: &written), isComplete: isLast, isAskedFor: true)
      }
      return last
    case .lost(let failure): throw .lostBody(step: step, reason: failure.reason)
    case .memory(let whole): bytes = whole
    case nil: bytes = body.bytes
    }
    let masked = mask.bytes(bytes, isComplete: body.whole != nil || body.isComplete)
    streams.standardOutput.write(harmless(masked, after: &written), isAskedFor: true)
    return bytes.last
  }

  private func harmless(_ bytes: [UInt8], after last: inout UInt8?) -> [UInt8] {
    options.breaksCommands ? JobLog.breakingCommands(in: bytes, after: &last) : bytes
  }

  private func piece(of file: BodyFile, _ step: String, at offset: Int, count: Int) throws(ReportError) -> [UInt8] {
    do throws(BodyFile.Failure) {
      return try file.read(at: offset, count: count)
    } catch {
      throw .lostBody(step: step, reason: error.reason)
    }
  }
}
