import GarlandDiagnostics
import Glibc

/// A standard stream, with the properties that a console needs.
package struct ConsoleOutput: Sendable {
  /// The output that writes to the stream and masks secrets.
  package var output: RedactedOutput
  /// The properties of the terminal or file. The console uses `facts.colors` unchanged, since the command has already applied `--color` and
  /// `NO_COLOR`.
  package var facts: TerminalFacts
  /// Returns the current number of columns and lines of the terminal. The live view calls this closure for each frame.
  package var size: @Sendable () -> (columns: Int?, lines: Int?)
  /// Whether the stream is a pipe to another program, whose own output may appear on the same terminal.
  package var isPipe: Bool
  /// The file descriptor of the output. A signal handler uses it to show the cursor again. Nil in tests.
  package var fileDescriptor: Int32?
  /// Whether writes to the file descriptor may block.
  private(set) var patience = Patience.unknown

  /// Whether a write to a file descriptor may block.
  enum Patience {
    /// A write never blocks: the target is a file, or a memory device such as `/dev/null`.
    case none
    /// A write may block until the reader of a pipe has read some data.
    case reader
    /// It is unknown whether a write may block. This is the case for a terminal, for a socket, and for a target that only tests use.
    case unknown

    init(_ facts: stat) {
      self =
        switch facts.st_mode & S_IFMT {
        case S_IFREG: .none
        // Major 1 of the character devices: https://www.kernel.org/doc/Documentation/admin-guide/devices.txt
        case S_IFCHR where facts.st_rdev >> 8 == 1: .none
        case S_IFIFO: .reader
        default: .unknown
        }
    }
  }

  /// Creates a console output; each property is a parameter.
  package init(
    output: RedactedOutput, facts: TerminalFacts, size: (@Sendable () -> (columns: Int?, lines: Int?))? = nil, isPipe: Bool = false,
    fileDescriptor: Int32? = nil
  ) {
    self.output = output
    self.facts = facts
    self.size = size ?? { (facts.width, facts.height) }
    self.isPipe = isPipe
    self.fileDescriptor = fileDescriptor
  }

  /// Creates an output to a standard stream of this process.
  ///
  /// - Parameters:
  ///   - fileDescriptor: 1 or 2.
  ///   - output: writes to the same descriptor and masks secrets.
  ///   - facts: the detected properties of the terminal or file, with the colours that the command has selected.
  package init(fileDescriptor: Int32, output: RedactedOutput, facts: TerminalFacts) {
    var status = stat()
    let isKnown = fstat(fileDescriptor, &status) == 0
    let kind = status.st_mode & S_IFMT
    self.init(
      output: output, facts: facts,
      size: {
        let now = TerminalFacts.detect(fileDescriptor: fileDescriptor)
        return (now.width, now.height)
      }, isPipe: isKnown && (kind == S_IFIFO || kind == S_IFSOCK), fileDescriptor: fileDescriptor)
    if isKnown { patience = Patience(status) }
  }
}
