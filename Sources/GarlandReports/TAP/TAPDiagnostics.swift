import GarlandDiagnostics
import GarlandResults
import GarlandText

/// The YAML block below a TAP test point. It uses only mappings, lists and single-line quoted strings, so that parsers of a YAML subset can
/// read it.
struct TAPDiagnostics {
  let mask: Mask
  private var lines: [String] = []
  private var indentation = "  "

  init(mask: Mask) { self.mask = mask }

  /// The YAML block below the test point, including its `---` and `...` lines; empty if the block has no entries.
  var block: String { lines.isEmpty ? "" : "  ---\n" + lines.map { $0 + "\n" }.joined() + "  ...\n" }

  mutating func text(_ name: String, _ value: String) { lines.append("\(indentation)\(name): \(quoted(value))") }

  /// Adds an entry with this name and value to the YAML block. Does nothing if the value is nil.
  mutating func text(_ name: String, _ value: String?) {
    if let value { text(name, value) }
  }

  mutating func number(_ name: String, _ value: String) { lines.append("\(indentation)\(name): \(value)") }

  mutating func place(_ range: SourceRange?) {
    guard let range else { return }
    let start = range.start
    lines.append("\(indentation)at:")
    nested {
      $0.text("file", range.file.name)
      $0.number("line", "\(start.line)")
      $0.number("column", "\(start.column)")
    }
  }

  /// Adds the members that describe a failed result: its message, outcome, position, request and failures.
  mutating func add(_ result: StepResult, _ label: StepLabel) {
    text("message", label.explanation(result) ?? result.outcome.rawValue)
    text("severity", result.isFailureAllowed ? "todo" : "fail")
    text("outcome", result.outcome.rawValue)
    place(result.failures.first?.range ?? result.step.range)
    if let exchange = result.lastOwnExchange, let target = exchange.target {
      text("request", "\(target.method) \(target.url)")
      if let status = exchange.status { number("status", "\(status)") }
    }
    guard !result.failures.isEmpty else { return }
    lines.append("\(indentation)failures:")
    for failure in result.failures {
      let first = lines.count
      nested { list in list.nested { $0.add(failure) } }
      // The marker of a list item replaces two spaces.
      lines[first] = "\(indentation)  - \(lines[first].dropFirst(indentation.utf8.count + 4))"
    }
  }

  private mutating func add(_ failure: CheckFailure) {
    text("kind", failure.kind.rawValue)
    text("subject", failure.subject)
    text("message", failure.message)
    text("expected", failure.expected)
    text("actual", failure.actual)
    list("difference", Array(failure.difference.prefix(Self.mostLines)))
    text("help", failure.help)
    place(failure.range)
  }

  private mutating func list(_ name: String, _ values: [String]) {
    guard !values.isEmpty else { return }
    lines.append("\(indentation)\(name):")
    for value in values { lines.append("\(indentation)  - \(quoted(value))") }
  }

  private mutating func nested(_ body: (inout TAPDiagnostics) -> Void) {
    indentation += "  "
    body(&self)
    indentation.removeLast(2)
  }

  private static let mostLines = 60

  /// Returns text in double quotes, with the escapes that all YAML parsers know ([YAML 1.2,
  /// §5.7](https://yaml.org/spec/1.2.2/#57-escaped-characters)).
  private func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in mask.text(text).unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\0"..<" ", "\u{7F}"..<"\u{A0}": result += "\\x" + Hex.padded(scalar.value, to: 2)
      // Line breaks of other standards, and characters that YAML does not allow without an escape.
      case "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}": result += "\\u" + Hex.padded(scalar.value, to: 4)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
