public import GarlandDiagnostics
public import GarlandJSON

/// A tree of values, such as the value of `json:`, `params:` or a variable. It may contain `${…}` anywhere, even in keys.
///
/// A subtree without expressions is one constant.
public indirect enum ValueTemplate: Sendable {
  /// A value that contains no expression.
  case constant(JSONValue, SourceRange)
  /// A scalar that contains an expression.
  case scalar(Template)
  /// A list that contains an expression at any depth.
  case list([ValueTemplate], SourceRange)
  /// A mapping that contains an expression at any depth. The members are in document order.
  case object([(key: Template, value: ValueTemplate)], SourceRange)

  /// The source range of the value.
  public var range: SourceRange {
    switch self {
    case .constant(_, let range), .list(_, let range), .object(_, let range): range
    case .scalar(let template): template.range
    }
  }

  /// The value of this template; nil if the template contains an expression.
  public var constant: JSONValue? {
    if case .constant(let value, _) = self { value } else { nil }
  }
}
