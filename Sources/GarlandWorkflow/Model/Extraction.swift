public import GarlandDiagnostics
public import GarlandJSON

/// Something that a step takes out of its response, under a name.
public struct Extraction: Sendable {
  /// The source of the value.
  public enum Source: Sendable {
    /// A JSONPath into the body: the value of a singular path, the list of the values of any other.
    case json(JSONPath)
    /// A JSON Pointer into the body.
    case pointer(JSONPointer)
    /// An XPath into the body as XML or HTML: the text of the node.
    case xpath(XPath)
    /// A regular expression on the body as text, of its first match: its first group, or all that matched if it has none.
    indirect case regex(PatternTemplate)
    /// A header's value.
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
    /// A parameter of the query of a request that came.
    indirect case query(Setting<String>)
    /// An output of the document that the step calls, an index of its ``Workflow/outputs``.
    case output(Int)
    /// The value of an expression, of any kind.
    indirect case expression(Template)
  }

  /// The choice among the values that are found.
  public enum Choice: Sendable {
    /// The selected value; the list, for a header or a parameter that occurs several times; the
    /// first match, for a regular expression. Several nodes of an XPath are a failure.
    case found
    /// `first:`: the first, if there are several.
    case first
    /// `all:`, and a JSONPath that can select several: the list, if there is but one, too.
    case all
  }

  /// Its name.
  public let name: Located<String>
  /// The source of the value.
  public let source: Source
  /// `default:`: the value if nothing is found.
  public let defaultValue: ValueTemplate?
  /// `optional:`: nothing found is not a failure.
  public let isOptional: Bool
  /// `first:` and `all:`.
  public let choice: Choice
  /// `secret:`: the value is a secret.
  public let isSecret: Bool
  /// The place of its value in the document.
  public let range: SourceRange
  /// The possible kinds of its value.
  let kinds: ValueKinds
  /// The refinement of the selected value.
  public var refinement: ExtractionRefinement?
}

/// The filters and defaults that an extract applies to the value that it has found.
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
