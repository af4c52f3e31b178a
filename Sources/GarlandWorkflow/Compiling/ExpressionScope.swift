/// The names that an expression may use, by its place.
struct ExpressionScope {
  enum Place {
    /// The value of a variable: no steps, nothing of a loop.
    case variable
    /// An entry of `auth`: as a variable.
    case authentication
    /// The path that a step listens at: as a variable.
    case path
    /// A step, or the defaults of all steps.
    case step
    /// Outside of the document, such as `--print`: whatever the run has.
    case outside
  }

  var place: Place
  /// The step of the expression, by ordinal; nil in the defaults.
  var step: Int?
  /// Whether there is a response at hand: in `expect`, `extract` and `poll`.
  var hasResponse = false
  /// Whether a loop gives `item` and `index`.
  var hasLoop = false
  /// Whether it is the default of an input, which is evaluated before variables.
  var isInput = false
  /// The facts about every `item` of the loop that are known before the run.
  var loopItems: LoopItems?

  /// The stream whose item is known.
  var stream: StreamFormat?

  static let variable = ExpressionScope(place: .variable)
  static let authentication = ExpressionScope(place: .authentication)
  static let listenPath = ExpressionScope(place: .path)
  static let defaults = ExpressionScope(place: .step)
  static let input = ExpressionScope(place: .variable, isInput: true)
  static let output = ExpressionScope(place: .step)
  static let outside = ExpressionScope(place: .outside)

  static func step(_ ordinal: Int) -> ExpressionScope { ExpressionScope(place: .step, step: ordinal) }

  /// Whether no step can be named, because it has its values before any of them runs.
  var isBeforeSteps: Bool { place == .variable || place == .authentication || place == .path }

  /// The same inside of a loop.
  func inLoop(_ items: LoopItems) -> ExpressionScope {
    var copy = self
    copy.hasLoop = true
    copy.loopItems = items
    return copy
  }

  /// The same with an item of a stream at hand.
  func with(itemOf stream: StreamFormat) -> ExpressionScope {
    var copy = self
    copy.stream = stream
    return copy
  }

  /// The same with a response at hand.
  var withResponse: ExpressionScope {
    var copy = self
    copy.hasResponse = true
    return copy
  }
}
