/// What a schema is compiled to: nodes that name one another by their numbers, so that references can go in circles.
struct SchemaProgram: Sendable {
  var nodes: [SchemaNode]
  let root: Int
  /// For each resource, the nodes of its dynamic anchors.
  let dynamicAnchors: [[String: Int]]
  /// Whether some schema asks for what others have left over, so that it has to be remembered.
  let tracksEvaluated: Bool
}

/// One schema.
struct SchemaNode: Sendable {
  /// The URI with the place in the schema as its fragment.
  let location: String
  /// The schema resource it belongs to, for `$dynamicRef`.
  let resource: Int
  /// Set for `true` and `false`.
  var always: Bool?
  var keywords: [SchemaKeyword] = []
}

/// The types that `type` names.
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

  /// `a string or null`.
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

/// A keyword, ready to be evaluated.
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
  /// Schemas by position; the keyword is `prefixItems`, or draft-07's `items` with an array.
  case prefixItems([Int])
  /// The schema of what is behind the first so many; the keyword is `items` or draft-07's `additionalItems`.
  case items(Int, from: Int)
  case contains(Int, minimum: Int, maximum: Int?, marksEvaluated: Bool)

  case maxProperties(Int)
  case minProperties(Int)
  case required([String])
  case properties(SchemaPropertyRules)
  case propertyNames(Int)
  /// The keyword is `dependentRequired`, or draft-07's `dependencies`.
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
}

/// `properties`, `patternProperties` and `additionalProperties`, which look at each other.
struct SchemaPropertyRules: Sendable {
  var named: [ScalarString: Int] = [:]
  var patterns: [(expression: RegularExpression, node: Int)] = []
  var additional: Int?
}
