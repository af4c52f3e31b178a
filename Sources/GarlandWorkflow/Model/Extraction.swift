public import GarlandDiagnostics
public import GarlandJSON

/// A value that a step extracts from its response under a name.
public struct Extraction: Sendable {
  /// The source of the value.
  public enum Source: Sendable {
    /// A JSONPath into the body: the value of a singular path, or the list of values of any other path.
    case json(JSONPath)
    /// A JSON Pointer into the body.
    case pointer(JSONPointer)
    /// An XPath into the body as XML or HTML: the text of the node.
    case xpath(XPath)
    /// A regular expression for the body as text. The value is the first group of the first match, or the whole match if the pattern has no
    /// group.
    indirect case regex(PatternTemplate)
    /// A header's value.
    indirect case header(Setting<String>)
    /// The value of a cookie that the response set.
    indirect case cookie(Setting<String>)
    /// An attribute of a cookie that the response set.
    indirect case cookieFact(Setting<String>, CookieFact)
    /// The given number of bytes from the start of the body, in hexadecimal.
    case firstBytes(Int)
    /// A JSONPath into a body that is a property list.
    case plist(JSONPath)
    /// The final URL, after redirects.
    case url
    /// A regular expression for the final URL. The value is its first group, or the whole match if the pattern has no group.
    indirect case urlPattern(PatternTemplate)
    /// A query parameter of a received request.
    indirect case query(Setting<String>)
    /// An output of the document that the step calls, by its index in ``Workflow/outputs``.
    case output(Int)
    /// A message of a WebSocket connection, at hand when the response is judged.
    case message
    /// The value of an expression, of any kind.
    indirect case expression(Template)
  }

  /// The choice among the values that were found.
  public enum Choice: Sendable {
    /// The default. The value is the selected value; the list of values for a header or parameter that occurs several times; or
    /// the first match of a regular expression. An XPath that selects several nodes is a failure.
    case found
    /// `first:`: the first value.
    case first
    /// `all:`, or a JSONPath that can select several values. The result is the list of all values, even if there is only one value.
    case all
  }

  /// The name of the extracted value.
  public let name: Located<String>
  /// The source of the value.
  public let source: Source
  /// `default:`: the value that is used if nothing is found.
  public let defaultValue: ValueTemplate?
  /// `optional:`: whether the step passes even if nothing is found.
  public let isOptional: Bool
  /// Which of several values is extracted: `first:` or `all:`.
  public let choice: Choice
  /// Whether the value is a secret: `secret:`.
  public let isSecret: Bool
  /// The place of the extraction's value in the document.
  public let range: SourceRange
  /// The possible kinds of the extracted value.
  let kinds: ValueKinds
  /// The pattern and filters that are applied to the value after it was found.
  public var refinement: ExtractionRefinement?

  /// The same among the extracts of the step, which a message gives.
  var ofMessage: Extraction {
    Extraction(
      name: name, source: .message, defaultValue: nil, isOptional: true, choice: choice, isSecret: isSecret, range: range, kinds: kinds)
  }
}

/// The pattern and filters that an extract applies to the value after it was found.
public final class ExtractionRefinement: Sendable {
  /// `matches:`: a pattern that selects a part of a text.
  public let pattern: PatternTemplate?
  /// `then:`: filters for the value.
  public let filters: Expression?

  init(pattern: PatternTemplate?, filters: Expression?) {
    self.pattern = pattern
    self.filters = filters
  }
}
