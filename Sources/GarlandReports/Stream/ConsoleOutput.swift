import GarlandDiagnostics
import Glibc

/// One of the standard streams, as a console needs to know it.
public struct ConsoleOutput: Sendable {
  /// The way out.
  public var output: RedactedOutput
  /// What it leads to. Its colours are used as they stand: the command has applied `--color` and `NO_COLOR`.
  public var facts: TerminalFacts
  /// The terminal's columns and lines now; asked for each frame of a live view.
  public var size: @Sendable () -> (columns: Int?, lines: Int?)
  /// Whether another program reads it, whose own output may appear on the same terminal.
  public var isPipe: Bool
  /// The descriptor, so that a signal handler can show the cursor again; nil in tests.
  public var fileDescriptor: Int32?
  /// Whether the descriptor takes bytes without waiting for anybody.
  private(set) var patience = Patience.unknown

  /// What writing to a descriptor may wait for.
  enum Patience {
    /// For nobody: a file, or a device of memory such as `/dev/null`.
    case none
    /// For the reader of a pipe.
    case reader
    /// A terminal, a socket, or what only tests have.
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

  /// Every property is a parameter; see there.
  public init(
    output: RedactedOutput, facts: TerminalFacts, size: (@Sendable () -> (columns: Int?, lines: Int?))? = nil, isPipe: Bool = false,
    fileDescriptor: Int32? = nil
  ) {
    self.output = output
    self.facts = facts
    self.size = size ?? { (facts.width, facts.height) }
    self.isPipe = isPipe
    self.fileDescriptor = fileDescriptor
  }

  /// A standard stream of this process.
  ///
  /// - Parameters:
  ///   - fileDescriptor: 1 or 2.
  ///   - output: leads to the same descriptor.
  ///   - facts: what was detected, with the colours that the command decided on.
  public init(fileDescriptor: Int32, output: RedactedOutput, facts: TerminalFacts) {
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
