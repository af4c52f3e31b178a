public import GarlandDiagnostics
public import GarlandJSON

/// A value that a step extracts from its response, and the name of the value.
public struct Extraction: Sendable {
  /// The source from which an extract takes its value, such as a JSONPath or a header field.
  public enum Source: Sendable {
    /// A JSONPath for the body as JSON. The result is one value if the path can select only one value, and a list of values otherwise.
    case json(JSONPath)
    /// A JSON Pointer to a value in the body, which is parsed as JSON.
    case pointer(JSONPointer)
    /// An XPath for the body as XML or HTML. The result is the text of the selected node.
    case xpath(XPath)
    /// A regular expression for the body as text. The result is the first group of the first match, or the whole match if the pattern has
    /// no group.
    indirect case regex(PatternTemplate)
    /// The value of a header field.
    indirect case header(Setting<String>)
    /// The value of a cookie that the response set.
    indirect case cookie(Setting<String>)
    /// An attribute of a cookie that the response set.
    indirect case cookieFact(Setting<String>, CookieFact)
    /// The given number of bytes from the start of the body, in hexadecimal.
    case firstBytes(Int)
    /// A JSONPath for a body that is a property list.
    case plist(JSONPath)
    /// The final URL, after redirects.
    case url
    /// A regular expression for the final URL. The result is the first group of the match, or the whole match if the pattern has no group.
    indirect case urlPattern(PatternTemplate)
    /// A query parameter of a received request.
    indirect case query(Setting<String>)
    /// An output of the document that the step calls, as an index of ``Workflow/outputs``.
    case output(Int)
    /// A received WebSocket message. The value is extracted as soon as the message arrives, and not after the whole response.
    case item
    /// The value of an expression. It can be of any kind.
    indirect case expression(Template)
  }

  /// The choice among the values that the source of an extract finds.
  public enum Choice: Sendable {
    /// The choice if neither `first:` nor `all:` is given. The extracted value then depends on the source:
    ///
    /// - A regular expression gives its first match.
    /// - A header field or parameter that occurs several times gives the list of all values.
    /// - An XPath that selects several nodes is a failure.
    /// - Any other source gives the selected value.
    case found
    /// The first of the values that the source finds. This is the choice if the key `first:` is true.
    case first
    /// The list of all values, even if there is only one value. This is the choice if the key `all:` is true, or if a JSONPath can select
    /// several values.
    case all
  }

  /// The name of the extracted value.
  public let name: Located<String>
  /// The source of the value.
  public let source: Source
  /// The value that is used if nothing is found, from the key `default:`.
  public let defaultValue: ValueTemplate?
  /// Whether the step also passes if the extract finds no value, from the key `optional:`.
  public let isOptional: Bool
  /// The rule for a source that finds several values: the extract takes the first value, all values, or the default for this kind of source
  /// (``Choice/found``).
  public let choice: Choice
  /// Whether the value is a secret, from the key `secret:`.
  public let isSecret: Bool
  /// The source range of the extract's definition in the document, without the extract's name.
  public let range: SourceRange
  /// The kinds, such as text or list, that the extracted value may have.
  let kinds: ValueKinds
  /// The pattern and the filters that change the value after it was found; nil if the value is not changed.
  public var refinement: ExtractionRefinement?

  /// A copy of this extract with the source ``Source/item``, for the list of all extracts of the step. The value of this extract comes from
  /// a WebSocket message, when the message arrives, and not from the response.
  var ofItem: Extraction {
    Extraction(
      name: name, source: .item, defaultValue: nil, isOptional: true, choice: choice, isSecret: isSecret, range: range, kinds: kinds)
  }
}

/// The pattern and filters that an extract applies to the value after it was found.
public final class ExtractionRefinement: Sendable {
  /// The pattern that selects the part of the found text to extract, from the key `matches:`. If nil, the whole text is extracted.
  public let pattern: PatternTemplate?
  /// The filters that change the extracted value, from the key `then:`; nil if there are no filters.
  public let filters: Expression?

  init(pattern: PatternTemplate?, filters: Expression?) {
    self.pattern = pattern
    self.filters = filters
  }
}
