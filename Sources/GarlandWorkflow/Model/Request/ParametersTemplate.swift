public import GarlandDiagnostics

/// Names and values that are sent in the query or the body: `params:`, `query:` or `form:`.
public struct ParametersTemplate: Sendable {
  /// `encoding:`.
  public enum Encoding: String, Sendable, Hashable, CaseIterable {
    /// Percent-encoded: `a=1&b=2`.
    case url
    /// A JSON body.
    case json
    /// An XML property list as the body.
    case plist
  }

  /// `destination:`.
  public enum Destination: String, Sendable, Hashable, CaseIterable {
    /// The query for GET, HEAD and DELETE, the body for other methods.
    case method
    /// The query.
    case query
    /// The body.
    case body
  }

  /// `arrays:`.
  public enum Arrays: String, Sendable, Hashable, CaseIterable {
    /// `foo[]=1&foo[]=2`.
    case brackets
    /// `foo=1&foo=2`.
    case none
    /// `foo[0]=1&foo[1]=2`.
    case index
  }

  /// `bools:`.
  public enum Booleans: String, Sendable, Hashable, CaseIterable {
    /// `1` and `0`.
    case numeric
    /// `true` and `false`.
    case literal
  }

  /// `spaces:`.
  public enum Spaces: String, Sendable, Hashable, CaseIterable {
    /// `%20`.
    case percent
    /// `+`.
    case plus
  }

  /// `nulls:`.
  public enum Nulls: String, Sendable, Hashable, CaseIterable {
    /// The name is omitted.
    case dropKey = "drop_key"
    /// `foo=`.
    case dropValue = "drop_value"
    /// `foo=null`.
    case null
  }

  /// The encoding of parameters.
  public struct Options: Sendable, Hashable {
    /// The format of the parameters.
    public internal(set) var encoding = Encoding.url
    /// The part of the request that has the parameters.
    public internal(set) var destination = Destination.method
    /// The encoding of lists.
    public internal(set) var arrays = Arrays.brackets
    /// The encoding of booleans.
    public internal(set) var booleans = Booleans.numeric
    /// The encoding of spaces.
    public internal(set) var spaces = Spaces.percent
    /// The encoding of null.
    public internal(set) var nulls = Nulls.dropKey
    /// Whether names are sorted; otherwise they keep the order of the document.
    public internal(set) var sortsKeys = true

    /// The default options of `params:`, which are those of Alamofire.
    public static let parameters = Options()
    /// The options of `query:`: the order is kept, the items of a list repeat its name, and booleans are written as `true` and `false`.
    public static let query = Options(.query, spaces: .percent)
    /// The options of `form:`: those of `query:`, but in the body and with spaces as `+`, as a browser sends a form.
    public static let form = Options(.body, spaces: .plus)

    init() {}

    private init(_ destination: Destination, spaces: Spaces) {
      self.destination = destination
      self.spaces = spaces
      arrays = .none
      booleans = .literal
      sortsKeys = false
    }
  }

  /// The options that are set in one mapping; nil options may be set in another one.
  struct Overrides: Sendable {
    var encoding: Encoding?
    var destination: Destination?
    var arrays: Arrays?
    var booleans: Booleans?
    var spaces: Spaces?
    var nulls: Nulls?

    /// Returns these options; unset ones are taken from `others`.
    func over(_ others: Overrides) -> Overrides {
      Overrides(
        encoding: encoding ?? others.encoding, destination: destination ?? others.destination, arrays: arrays ?? others.arrays,
        booleans: booleans ?? others.booleans, spaces: spaces ?? others.spaces, nulls: nulls ?? others.nulls)
    }

    /// The options of `params:` with these changes applied.
    var options: Options {
      var options = Options.parameters
      if let encoding { options.encoding = encoding }
      if let destination { options.destination = destination }
      if let arrays { options.arrays = arrays }
      if let booleans { options.booleans = booleans }
      if let spaces { options.spaces = spaces }
      if let nulls { options.nulls = nulls }
      return options
    }
  }

  /// A mapping, or an expression whose value is a mapping.
  public let value: ValueTemplate
  /// The encoding of the parameters.
  public internal(set) var options: Options
  /// The place of the value.
  public let range: SourceRange
  /// Whether the parameters come from the defaults, instead of from the step.
  public let isDefault: Bool
}
