/// A parser that gets arbitrary bytes, and the properties that must hold for all of them.
///
/// ```swift
/// FuzzTarget.documents.violation(of: bytes)  // nil
/// ```
package enum FuzzTarget: String, CaseIterable, Sendable {
  /// A workflow: YAML, decoder, checks, planner, drawings.
  case documents
  /// The content of `${…}`: parser, compiler, evaluation with values made of the input.
  case expressions
  /// A JSON text: parser, printer.
  case json
  /// A JSONPath and, after a line feed, a JSON text to use it on.
  case jsonpath
  /// A JSON Schema and, after a line feed, an instance.
  case schema
  /// Rows: CSV, TSV, JSON lines or JSON, which one the first byte says.
  case tables
  /// A regular expression and, after a line feed, a text to search.
  case patterns
  /// An XPath.
  case xpath
  /// Frames of a WebSocket server, after a byte that says whether they may be compressed.
  case websocket
  /// Server-sent events.
  case events
  /// JSON lines.
  case lines
  /// A multipart body, with the boundary `b`.
  case parts

  /// Feeds one input; says what should never be, nil when all is well. A crash and a hang are the fuzzer's to see.
  package func violation(of input: [UInt8]) -> String? {
    switch self {
    case .documents: DocumentFuzzing.violation(of: input)
    case .expressions: ExpressionFuzzing.shared.violation(of: input)
    case .json: JSONFuzzing.textViolation(of: input)
    case .jsonpath: JSONFuzzing.pathViolation(of: input)
    case .schema: JSONFuzzing.schemaViolation(of: input)
    case .tables: TextFuzzing.tableViolation(of: input)
    case .patterns: TextFuzzing.patternViolation(of: input)
    case .xpath: TextFuzzing.xpathViolation(of: input)
    case .websocket: WebSocketFuzzing.violation(of: input)
    case .events: StreamFuzzing.eventViolation(of: input)
    case .lines: StreamFuzzing.lineViolation(of: input)
    case .parts: StreamFuzzing.partViolation(of: input)
    }
  }
}
