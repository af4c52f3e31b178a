import Glibc

/// The properties of the terminal that an output goes to. It is a value type, so that tests and command-line
/// options can override the properties.
public struct TerminalFacts: Sendable, Hashable {
  /// Whether the output is a terminal.
  public var isTerminal: Bool
  /// The number of columns; nil if the output is not a terminal, or if the terminal does not report the number.
  public var width: Int?
  /// The number of lines; nil if the output is not a terminal, or if the terminal does not report the number.
  public var height: Int?
  /// Whether and how colours may be used.
  public var colors: StyledText.ColorMode

  /// Creates the properties of an output. The defaults describe a pipe or a file.
  public init(isTerminal: Bool = false, width: Int? = nil, height: Int? = nil, colors: StyledText.ColorMode = .plain) {
    self.isTerminal = isTerminal
    self.width = width
    self.height = height
    self.colors = colors
  }

  /// Returns the properties that the system reports.
  ///
  /// Colours are allowed on a terminal; `NO_COLOR` and `--color` are applied by the command, not here.
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
