/// A compiled schema. Its nodes refer to one another by number, so that references can be
/// circular.
struct SchemaProgram: Sendable {
  var nodes: [SchemaNode]
  let root: Int
  /// For each schema resource, a dictionary with the names of its dynamic anchors and the numbers of the nodes to which they refer.
  let dynamicAnchors: [[String: Int]]
  /// Whether the schema has a keyword, such as `unevaluatedItems`, that applies only to the parts of a value that the other keywords have
  /// not evaluated. If true, the validation must record the evaluated parts.
  let tracksEvaluated: Bool
}

/// One schema in compiled form, with its keywords.
struct SchemaNode: Sendable {
  /// The URI of the schema: the URI of the document, with the schema's location in the document as the fragment.
  let location: String
  /// The index of the schema resource to which the node belongs, for `$dynamicRef`.
  let resource: Int
  /// The result if the schema is `true` or `false`; nil for all other schemas.
  var always: Bool?
  var keywords: [SchemaKeyword] = []
}

/// The types that the keyword `type` lists.
struct SchemaTypes: OptionSet, Sendable {
  let rawValue: UInt8

  static let null = SchemaTypes(rawValue: 1)
  static let boolean = SchemaTypes(rawValue: 2)
  static let integer = SchemaTypes(rawValue: 4)
  static let number = SchemaTypes(rawValue: 8)
  static let string = SchemaTypes(rawValue: 16)
  static let array = SchemaTypes(rawValue: 32)
  static let object = SchemaTypes(rawValue: 64)

  static let names: [(name: String, type: SchemaTypes)] = [
    ("null", .null), ("boolean", .boolean), ("integer", .integer), ("number", .number), ("string", .string), ("array", .array),
    ("object", .object),
  ]

  func admits(_ value: JSONValue) -> Bool {
    switch value {
    case .null: contains(.null)
    case .bool: contains(.boolean)
    case .number(let number): contains(.number) || (contains(.integer) && number.isIntegral)
    case .string: contains(.string)
    case .array: contains(.array)
    case .object: contains(.object)
    }
  }

  /// The types in the form for messages, such as `a string or null`.
  var words: String {
    let words = SchemaTypes.names.filter { contains($0.type) }.map { name, _ in
      switch name {
      case "null": "null"
      case "integer", "array", "object": "an \(name)"
      default: "a \(name)"
      }
    }
    guard let last = words.last, words.count > 1 else { return words.first ?? "nothing" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }
}

/// A keyword in a form that can be evaluated.
indirect enum SchemaKeyword: Sendable {
  case type(SchemaTypes)
  case enumeration([JSONValue], index: Set<JSONValue>)
  case constant(JSONValue)

  case multipleOf(JSONNumber)
  case maximum(JSONNumber)
  case exclusiveMaximum(JSONNumber)
  case minimum(JSONNumber)
  case exclusiveMinimum(JSONNumber)

  case maxLength(Int)
  case minLength(Int)
  case pattern(RegularExpression)
  case format(SchemaFormat)

  case maxItems(Int)
  case minItems(Int)
  case uniqueItems
  /// The numbers of the schemas for the first elements of an array, one schema for each of them: from `prefixItems`, or from draft-07's
  /// `items` if its value is an array.
  case prefixItems([Int])
  /// The number of the schema for all elements whose index is at least `from`. This schema is the value of the keyword `items`, or in
  /// draft-07 of `additionalItems`.
  case items(Int, from: Int)
  case contains(Int, minimum: Int, maximum: Int?, marksEvaluated: Bool)

  case maxProperties(Int)
  case minProperties(Int)
  case required([String])
  case properties(SchemaPropertyRules)
  case propertyNames(Int)
  /// The members that are required if a certain member exists: the value of `dependentRequired`, or the lists of names in draft-07's
  /// `dependencies`.
  case dependentRequired([(name: String, required: [String])], keyword: String)
  case dependentSchemas([(name: String, node: Int)])

  case allOf([Int])
  case anyOf([Int])
  case oneOf([Int])
  case not(Int)
  case condition(Int, then: Int?, else: Int?)
  case reference(Int)
  case dynamicReference(Int, anchor: String?)

  case unevaluatedItems(Int)
  case unevaluatedProperties(Int)

  /// The numbers of the subschemas that this keyword always applies to the whole value, such as the subschemas of `allOf`. Subschemas for
  /// members or items of the value are not included.
  var appliedInPlace: [Int] {
    switch self {
    case .reference(let node), .not(let node), .condition(let node, then: _, else: _): [node]
    case .allOf(let nodes): nodes
    default: []
    }
  }
}

/// The keywords `properties`, `patternProperties` and `additionalProperties`, which depend on one another.
struct SchemaPropertyRules: Sendable {
  var named: [ScalarString: Int] = [:]
  var patterns: [(expression: RegularExpression, node: Int)] = []
  var additional: Int?
}
