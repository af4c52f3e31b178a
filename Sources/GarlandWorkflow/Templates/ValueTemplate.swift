public import GarlandDiagnostics
public import GarlandJSON

/// A tree of values that may hold `${…}` anywhere, keys included: the value of `json:`, `params:`
/// or a variable.
///
/// A subtree without any expression is one constant.
public indirect enum ValueTemplate: Sendable {
  /// A value without an expression.
  case constant(JSONValue, SourceRange)
  /// A scalar with an expression.
  case scalar(Template)
  /// A list with an expression somewhere.
  case list([ValueTemplate], SourceRange)
  /// A mapping with an expression somewhere, in order.
  case object([(key: Template, value: ValueTemplate)], SourceRange)

  /// Its place in the source.
  public var range: SourceRange {
    switch self {
    case .constant(_, let range), .list(_, let range), .object(_, let range): range
    case .scalar(let template): template.range
    }
  }

  /// The value, if there is no expression in it.
  public var constant: JSONValue? {
    if case .constant(let value, _) = self { value } else { nil }
  }
}
