public import GarlandDiagnostics
public import GarlandJSON

/// Something that a step takes out of its response, under a name.
public struct Extraction: Sendable {
  /// Where the value comes from.
  public enum Source: Sendable {
    /// A JSONPath into the body: the value of a singular path, the first value of any other, unless `all` is set.
    case json(JSONPath)
    /// A JSON Pointer into the body.
    case pointer(JSONPointer)
    /// An XPath into the body as XML or HTML: the text of the first node, unless `all` is set.
    case xpath(XPath)
    /// A regular expression on the body as text: its first group, or all that matched if it has none.
    indirect case regex(PatternTemplate)
    /// A header's value; repeated ones with `all`.
    indirect case header(Setting<String>)
    /// The value of a cookie that the response set.
    indirect case cookie(Setting<String>)
    /// An attribute of a cookie that the response set.
    indirect case cookieFact(Setting<String>, CookieFact)
    /// The first bytes of the body, in hexadecimal.
    case firstBytes(Int)
    /// A JSONPath into a body that is a property list.
    case plist(JSONPath)
    /// The URL that answered.
    case url
    /// A regular expression on the URL that answered: its first group, or all that matched if it has none.
    indirect case urlPattern(PatternTemplate)
    /// A parameter of the query of a request that came; repeated ones with `all`.
    indirect case query(Setting<String>)
    /// An output of the document that the step calls, an index of its ``Workflow/outputs``.
    case output(Int)
    /// Whatever an expression gives.
    indirect case expression(Template)
  }

  /// Its name.
  public let name: Located<String>
  /// Where the value comes from.
  public let source: Source
  /// `default:`: the value if nothing is found.
  public let defaultValue: ValueTemplate?
  /// `optional:`: nothing found is not a failure.
  public let isOptional: Bool
  /// `all:`: a list of all that is found.
  public let takesAll: Bool
  /// `secret:`: the value is a secret.
  public let isSecret: Bool
  /// Where its value stands in the document.
  public let range: SourceRange
  /// What is made of the value that is found.
  public var refinement: ExtractionRefinement?
}

/// What an extract makes of the value that it has found.
public final class ExtractionRefinement: Sendable {
  /// `matches:`: the part of a text.
  public let pattern: PatternTemplate?
  /// `then:`: filters.
  public let filters: Expression?

  init(pattern: PatternTemplate?, filters: Expression?) {
    self.pattern = pattern
    self.filters = filters
  }
}
