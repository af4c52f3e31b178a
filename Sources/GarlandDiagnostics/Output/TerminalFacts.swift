import Glibc

/// What is known about the place where output goes. A value, so that tests and the command's options can say otherwise.
public struct TerminalFacts: Sendable, Hashable {
  /// Whether a person looks at it.
  public var isTerminal: Bool
  /// Columns; nil if it is no terminal or does not tell.
  public var width: Int?
  /// Lines; nil if it is no terminal or does not tell.
  public var height: Int?
  /// Whether colours may be used.
  public var colors: StyledText.ColorMode

  /// A pipe or file, unless told otherwise.
  public init(isTerminal: Bool = false, width: Int? = nil, height: Int? = nil, colors: StyledText.ColorMode = .plain) {
    self.isTerminal = isTerminal
    self.width = width
    self.height = height
    self.colors = colors
  }

  /// Asks the system. Colours are allowed on a terminal; `NO_COLOR` and `--color` are for the command to apply.
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
