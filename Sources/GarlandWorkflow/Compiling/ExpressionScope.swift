/// The position of an expression within a step's `talk`, which lists the messages of a WebSocket connection.
struct TalkPlace {
  /// The index, in the list `talk`, of the entry that contains the expression.
  let entry: Int
  /// For each extract of the list `talk`, by name, the index of the first entry of the list that provides the extract.
  let extracts: [String: Int]

  /// The names of the extracts that earlier entries of `talk` provide, sorted.
  var available: [String] { extracts.filter { $0.value < entry }.keys.sorted() }
}

/// The names that an expression may use. They depend on the position of the expression in the document: only an expression in `expect` can
/// use `response`, for example.
struct ExpressionScope {
  enum Place {
    /// The expression is in the value of a variable. Such an expression can use neither steps nor loop items.
    case variable
    /// The expression is in an entry of `auth`. It can use the same names as an expression in the value of a variable.
    case authentication
    /// The expression is in the path at which a step listens. It can use the same names as an expression in the value of a variable.
    case path
    /// The expression is in a step, or in the defaults of all steps.
    case step
    /// The expression is outside of the document, such as in the value of the option `--print`. It can use every value of the run.
    case outside
  }

  var place: Place
  /// The ordinal (index in the document) of the step that contains the expression; nil for an expression in the defaults.
  var step: Int?
  /// Whether a response is available: true in `expect`, `extract` and `poll`.
  var hasResponse = false
  /// Whether a loop defines `item` and `index`.
  var hasLoop = false
  /// Whether the expression is the default of an input. Such a default is evaluated before the variables.
  var isInput = false
  /// The properties of the loop's items that are known before the run, such as their member names; nil for a step without a loop.
  var loopItems: LoopItems?

  /// The position of the expression within the step's `talk:`, where it can use the extracts of earlier entries. Nil outside of `talk:`,
  /// where an expression can't use extracts of its own step.
  var talk: TalkPlace?

  /// The format of the stream whose current item the expression can use; nil if the expression cannot use a stream.
  var stream: StreamFormat?

  static let variable = ExpressionScope(place: .variable)
  static let authentication = ExpressionScope(place: .authentication)
  static let listenPath = ExpressionScope(place: .path)
  static let defaults = ExpressionScope(place: .step)
  static let input = ExpressionScope(place: .variable, isInput: true)
  static let output = ExpressionScope(place: .step)
  static let outside = ExpressionScope(place: .outside)

  static func step(_ ordinal: Int) -> ExpressionScope { ExpressionScope(place: .step, step: ordinal) }

  /// Whether the expression is evaluated before any step runs, so that it cannot refer to a step.
  var isBeforeSteps: Bool { place == .variable || place == .authentication || place == .path }

  /// Returns a copy of this scope in which expressions can also use `item` and `index`.
  func inLoop(_ items: LoopItems) -> ExpressionScope {
    var copy = self
    copy.hasLoop = true
    copy.loopItems = items
    return copy
  }

  /// Returns a copy of this scope in which expressions can also use the stream's current item, such as `event`.
  func with(itemOf stream: StreamFormat) -> ExpressionScope {
    var copy = self
    copy.stream = stream
    return copy
  }

  /// Returns a copy of this scope for the expressions in one entry of the step's `talk`.
  ///
  /// - Parameters:
  ///   - entry: the index of the entry.
  ///   - extracts: for each extract of the `talk`, the index of the first entry that provides it.
  func talking(_ entry: Int, _ extracts: [String: Int]) -> ExpressionScope {
    var copy = self
    copy.talk = TalkPlace(entry: entry, extracts: extracts)
    return copy
  }

  /// A copy of this scope in which expressions can also use `response`.
  var withResponse: ExpressionScope {
    var copy = self
    copy.hasResponse = true
    return copy
  }
}
