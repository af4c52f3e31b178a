public import GarlandDiagnostics

/// Names and values that are sent in the query or the body, from the key `params:`, `query:` or `form:`.
public struct ParametersTemplate: Sendable {
  /// The format in which parameters are sent, from the key `encoding:`.
  public enum Encoding: String, Sendable, Hashable, CaseIterable {
    /// Names and values are percent-encoded, such as `a=1&b=two%20words`.
    case url
    /// Parameters are sent as a JSON body.
    case json
    /// Parameters are sent as an XML property list in the body.
    case plist
  }

  /// The part of the request that contains the parameters, from the key `destination:`.
  public enum Destination: String, Sendable, Hashable, CaseIterable {
    /// Parameters are sent in the query of a GET, HEAD or DELETE request, and in the body of any other request.
    case method
    /// Parameters are sent in the query of the URL.
    case query
    /// Parameters are sent in the body.
    case body
  }

  /// The format of lists in parameters, from the key `arrays:`.
  public enum Arrays: String, Sendable, Hashable, CaseIterable {
    /// Each item has the name with brackets, such as `foo[]=1&foo[]=2`.
    case brackets
    /// Each item is written with the name of the list, as in `foo=1&foo=2`.
    case none
    /// Each item has its index in brackets, such as `foo[0]=1&foo[1]=2`.
    case index
  }

  /// The format of true and false in parameters, from the key `bools:`.
  public enum Booleans: String, Sendable, Hashable, CaseIterable {
    /// True and false are written as `1` and `0`.
    case numeric
    /// Booleans are written as `true` and `false`.
    case literal
  }

  /// The encoding of spaces in parameters, from the key `spaces:`.
  public enum Spaces: String, Sendable, Hashable, CaseIterable {
    /// A space is written as `%20`.
    case percent
    /// A space is written as `+`.
    case plus
  }

  /// The format of null in parameters, from the key `nulls:`.
  public enum Nulls: String, Sendable, Hashable, CaseIterable {
    /// A parameter with the value null is omitted.
    case dropKey = "drop_key"
    /// A parameter with the value null is written as its name without a value, such as `foo=`.
    case dropValue = "drop_value"
    /// The value is written as `null`, such as `foo=null`.
    case null
  }

  /// The options that determine how parameters are encoded and where they are sent.
  public struct Options: Sendable, Hashable {
    /// The format of the parameters.
    public internal(set) var encoding = Encoding.url
    /// The part of the request that contains the parameters.
    public internal(set) var destination = Destination.method
    /// The way in which a parameter whose value is a list is written: by default, with brackets after its name, such as `foo[]=1&foo[]=2`.
    public internal(set) var arrays = Arrays.brackets
    /// The way in which booleans are written; as `1` and `0` by default.
    public internal(set) var booleans = Booleans.numeric
    /// The way in which spaces are written; as `%20` by default.
    public internal(set) var spaces = Spaces.percent
    /// The way in which parameters with the value null are written; by default, they are omitted.
    public internal(set) var nulls = Nulls.dropKey
    /// Whether parameters are sorted by name. If false, they keep the order of the document.
    public internal(set) var sortsKeys = true

    /// The default options of `params:`, which are the same as those of the Swift library Alamofire.
    static let parameters = Options()
    /// The default options of `query:`. Parameters keep the order of the document, the name is repeated for each item of a list, and
    /// booleans are written as `true` and `false`.
    static let query = Options(.query, spaces: .percent)
    /// The default options of `form:`. They equal the options of `query:`, but parameters are sent in the body and spaces are written as
    /// `+`, as browsers send forms.
    static let form = Options(.body, spaces: .plus)

    init() {}

    private init(_ destination: Destination, spaces: Spaces) {
      self.destination = destination
      self.spaces = spaces
      arrays = .none
      booleans = .literal
      sortsKeys = false
    }
  }

  /// The encoding options that a single mapping of the document sets. An option is nil if this mapping does not set it; then another
  /// mapping, such as the defaults, may determine the option.
  struct Overrides: Sendable {
    var encoding: Encoding?
    var destination: Destination?
    var arrays: Arrays?
    var booleans: Booleans?
    var spaces: Spaces?
    var nulls: Nulls?

    /// Returns a copy of these options in which each option that is nil has its value from `others`.
    func over(_ others: Overrides) -> Overrides {
      Overrides(
        encoding: encoding ?? others.encoding, destination: destination ?? others.destination, arrays: arrays ?? others.arrays,
        booleans: booleans ?? others.booleans, spaces: spaces ?? others.spaces, nulls: nulls ?? others.nulls)
    }

    /// The default options of `params:`, changed by these overrides. An option that is nil in the overrides keeps its default.
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

  /// The names and values of the parameters: a mapping, or an expression whose value is a mapping.
  public let value: ValueTemplate
  /// The options for encoding the parameters.
  public internal(set) var options: Options
  /// The source range of the parameters' names and values.
  public let range: SourceRange
  /// Whether the parameters are inherited from `defaults:`, and not written in the step.
  let isDefault: Bool
}
