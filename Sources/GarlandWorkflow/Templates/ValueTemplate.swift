public import GarlandDiagnostics
public import GarlandJSON

/// A tree of values that may contain `${…}` anywhere, even in keys: the value of `json:`, `params:` or a variable.
///
/// A subtree without any expression is a single constant.
public indirect enum ValueTemplate: Sendable {
  /// A value without an expression.
  case constant(JSONValue, SourceRange)
  /// A scalar with an expression.
  case scalar(Template)
  /// A list that contains an expression at any depth.
  case list([ValueTemplate], SourceRange)
  /// A mapping that contains an expression at any depth. The members are in document order.
  case object([(key: Template, value: ValueTemplate)], SourceRange)

  /// The value's place in the source.
  public var range: SourceRange {
    switch self {
    case .constant(_, let range), .list(_, let range), .object(_, let range): range
    case .scalar(let template): template.range
    }
  }

  /// The value, if it contains no expression; nil otherwise.
  public var constant: JSONValue? {
    if case .constant(let value, _) = self { value } else { nil }
  }
}
