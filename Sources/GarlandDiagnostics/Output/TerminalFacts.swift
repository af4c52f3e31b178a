import Glibc

/// The properties of an output's terminal. A value type, so that tests and command-line options can
/// override them.
public struct TerminalFacts: Sendable, Hashable {
  /// Whether the output is a terminal.
  public var isTerminal: Bool
  /// The columns; nil for an output that is not a terminal or does not report them.
  public var width: Int?
  /// The lines; nil for an output that is not a terminal or does not report them.
  public var height: Int?
  /// The colours that may be used.
  public var colors: StyledText.ColorMode

  /// Creates facts; the defaults describe a pipe or file.
  public init(isTerminal: Bool = false, width: Int? = nil, height: Int? = nil, colors: StyledText.ColorMode = .plain) {
    self.isTerminal = isTerminal
    self.width = width
    self.height = height
    self.colors = colors
  }

  /// Returns the facts that the system reports. Colours are allowed on a terminal; the command
  /// applies `NO_COLOR` and `--color`.
  ///
  /// - Parameter fileDescriptor: 1 for standard output, 2 for standard error.
  public static func detect(fileDescriptor: Int32) -> TerminalFacts {
    guard isatty(fileDescriptor) == 1 else { return TerminalFacts() }
    var size = winsize()
    let known = ioctl(fileDescriptor, UInt(TIOCGWINSZ), &size) == 0
    return TerminalFacts(
      isTerminal: true, width: known && size.ws_col > 0 ? Int(size.ws_col) : nil,
      height: known && size.ws_row > 0 ? Int(size.ws_row) : nil, colors: .ansi16)
  }
}
