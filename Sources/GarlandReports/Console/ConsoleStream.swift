import GarlandDiagnostics
import Glibc

/// Gathers what goes to one stream and writes it in one go. Nobody reading any more ends it quietly; any other error is kept.
final class ConsoleStream {
  let target: ConsoleOutput
  private var pending: [UInt8] = []
  private var refusal: OutputError?
  /// The first error that is worth telling.
  private(set) var failure: Int32?

  init(_ target: ConsoleOutput) { self.target = target }

  var isTerminal: Bool { target.facts.isTerminal }
  /// Whether somebody still takes what is written.
  var isOpen: Bool { refusal == nil }
  var colors: StyledText.ColorMode { target.facts.colors }

  func add(_ line: StyledText) { add(line.rendered(colors)) }

  func add(_ line: String) {
    guard refusal == nil else { return }
    pending.append(contentsOf: line.utf8)
    pending.append(UInt8(ascii: "\n"))
  }

  /// Adds a line that is bytes already.
  func addLine(_ line: [UInt8]) {
    guard refusal == nil else { return }
    pending.append(contentsOf: line)
    pending.append(UInt8(ascii: "\n"))
  }

  /// Adds a line that `body` appends to the bytes it is given; nothing if it says that it has none.
  func addLine(_ body: (inout [UInt8]) -> Bool) -> Bool {
    guard refusal == nil else { return true }
    guard body(&pending) else { return false }
    pending.append(UInt8(ascii: "\n"))
    return true
  }

  func flush() {
    guard !pending.isEmpty else { return }
    write(pending)
    pending.removeAll(keepingCapacity: pending.count < 1 << 20)
  }

  /// Writes at once, in one piece.
  func write(_ text: String) { write(Array(text.utf8)) }

  /// Writes at once, in one piece.
  ///
  /// - Parameters:
  ///   - isComplete: whether nothing of the same text follows: half a secret is held back until the other half comes.
  ///   - isAskedFor: whether it is what the user came for. Of all else nobody needs to know that a stream was closed from the beginning, as daemons do.
  func write(_ bytes: [UInt8], isComplete: Bool = true, isAskedFor: Bool = false) {
    guard !bytes.isEmpty else { return }
    if refusal == nil {
      do throws(OutputError) {
        try target.output.write(bytes, isComplete: isComplete)
      } catch {
        refusal = error
      }
    }
    guard case .failed(let number)? = refusal, number != EBADF || isAskedFor else { return }
    failure = failure ?? number
  }
}
