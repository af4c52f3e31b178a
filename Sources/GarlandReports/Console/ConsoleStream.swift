import GarlandDiagnostics

/// Gathers what goes to one stream and writes it in one go. Nobody reading any more ends it quietly; any other error is kept.
final class ConsoleStream {
  let target: ConsoleOutput
  private var pending = ""
  private var isClosed = false
  /// The first error that is worth telling.
  private(set) var failure: Int32?

  init(_ target: ConsoleOutput) { self.target = target }

  var isTerminal: Bool { target.facts.isTerminal }
  var colors: StyledText.ColorMode { target.facts.colors }

  func add(_ line: StyledText) { add(line.rendered(colors)) }

  func add(_ line: String) {
    guard !isClosed else { return }
    pending += line
    pending += "\n"
  }

  func flush() {
    guard !pending.isEmpty else { return }
    write(pending)
    pending = ""
  }

  /// Writes at once, in one piece.
  func write(_ text: String) { write(Array(text.utf8)) }

  /// Writes at once, in one piece.
  func write(_ bytes: [UInt8]) {
    guard !isClosed, !bytes.isEmpty else { return }
    do throws(OutputError) {
      try target.output.write(bytes, isComplete: true)
    } catch {
      isClosed = true
      if case .failed(let number) = error { failure = number }
    }
  }
}
