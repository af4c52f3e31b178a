import GarlandDiagnostics
import GarlandResults

/// The symbols that reports use, such as `✓`, in Unicode or ASCII.
struct Glyphs: Sendable, Hashable {
  var passed = "✓"
  var failed = "✗"
  var error = "!"
  var unreachable = "?"
  var flaky = "↻"
  var skipped = "○"
  var blocked = "⊘"
  var notRun = "·"
  var waiting = "◌"
  var paused = "◷"
  var barDone = "━"
  var barLeft = "─"
  var gutter = "│"
  var upload = "↑"
  var download = "↓"
  var times = "×"
  var dot = "·"
  var none = "–"
  var ellipsis = "…"
  var spinner = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]

  static let unicode = Glyphs()

  static let ascii = Glyphs(
    passed: "+", failed: "x", flaky: "*", skipped: "-", blocked: "#", notRun: ".", waiting: "-", paused: "~", barDone: "=", barLeft: ".",
    gutter: "|", upload: "^", download: "v", times: "x", dot: "-", none: "-", ellipsis: "...", spinner: ["|", "/", "-", "\\"])

  /// Returns a line in which each symbol is replaced by one ASCII character.
  static func inASCII(_ line: String) -> String {
    guard line.utf8.contains(where: { $0 >= 0x80 }) else { return line }
    return String(String.UnicodeScalarView(line.unicodeScalars.map { asciiSymbols[$0] ?? $0 }))
  }

  private static let asciiSymbols: [Unicode.Scalar: Unicode.Scalar] = [
    "…": "~", "µ": "u", "–": "-", "·": "-", "×": "x", "├": "|", "└": "`", "─": "-", "│": "|", "←": "<", "↓": "v", "→": ">", "◆": "*",
  ]

  /// Returns the symbol at the beginning of a result's line.
  func mark(of result: StepResult) -> StyledText.Span {
    let problem = result.isFailureAllowed ? StyledText.Style.warning : .failure
    return switch result.outcome {
    case .passed: result.isFlaky ? StyledText.Span(flaky, .warning) : StyledText.Span(passed, .success)
    case .failed: StyledText.Span(failed, problem)
    case .error: StyledText.Span(error, problem)
    case .unreachable: StyledText.Span(unreachable, problem)
    case .skipped: StyledText.Span(skipped, .dim)
    case .blocked: StyledText.Span(blocked, .skip)
    case .notRun: StyledText.Span(notRun, .dim)
    }
  }
}
