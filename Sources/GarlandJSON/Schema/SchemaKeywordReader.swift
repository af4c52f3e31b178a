/// Reads the keywords of one schema object and checks the types of their values.
struct SchemaKeywordReader {
  let object: JSONObject
  let place: SchemaPlace
  let resource: SchemaResource

  private var isDraft7: Bool { resource.dialect.draft == .draft7 }

  mutating func read(with compiler: inout SchemaCompiler) throws(JSONSchemaError) -> [SchemaKeyword] {
    var keywords: [SchemaKeyword] = []
    if let text = try string("$ref", compiler) {
      let target = try compiler.resolve(text, from: place.appending("$ref"), base: resource.uri)
      keywords.append(.reference(try compiler.number(of: target.place)))
      // In draft-07, a `$ref` disables all other keywords of its schema.
      if isDraft7 { return keywords }
    }
    if resource.dialect.hasValidation {
      try readAssertions(into: &keywords, compiler)
    }
    try readFormat(into: &keywords, compiler)
    try readArrayApplicators(into: &keywords, &compiler)
    try readObjectApplicators(into: &keywords, &compiler)
    try readLogic(into: &keywords, &compiler)
    if !isDraft7 {
      if let text = try string("$dynamicRef", compiler) {
        let target = try compiler.resolve(text, from: place.appending("$dynamicRef"), base: resource.uri)
        keywords.append(.dynamicReference(try compiler.number(of: target.place), anchor: target.dynamicAnchor))
      }
      // These keywords check the parts that no other keyword has evaluated, so they come last.
      if let node = try schema("unevaluatedItems", &compiler) {
        compiler.tracksEvaluated = true
        keywords.append(.unevaluatedItems(node))
      }
      if let node = try schema("unevaluatedProperties", &compiler) {
        compiler.tracksEvaluated = true
        keywords.append(.unevaluatedProperties(node))
      }
    }
    return keywords
  }

  // MARK: Values

  private func failure(_ message: String, _ keyword: String, _ compiler: SchemaCompiler) -> JSONSchemaError {
    compiler.registry.failure(message, at: place.appending(keyword))
  }

  private func string(_ keyword: String, _ compiler: SchemaCompiler) throws(JSONSchemaError) -> String? {
    guard let value = object[keyword] else { return nil }
    guard case .string(let text) = value else {
      throw failure("\(keyword) must be a string, not \(SchemaWords.kind(of: value))", keyword, compiler)
    }
    return text
  }

  private func number(_ keyword: String, _ compiler: SchemaCompiler) throws(JSONSchemaError) -> JSONNumber? {
    guard let value = object[keyword] else { return nil }
    guard case .number(let number) = value else {
      throw failure("\(keyword) must be a number, not \(SchemaWords.kind(of: value))", keyword, compiler)
    }
    return number
  }

  private func count(_ keyword: String, _ compiler: SchemaCompiler) throws(JSONSchemaError) -> Int? {
    guard let number = try number(keyword, compiler) else { return nil }
    guard number.isIntegral, !number.isNegative else { throw failure("\(keyword) must be a whole number of at least 0", keyword, compiler) }
    return number.intValue ?? .max
  }

  private func strings(_ value: JSONValue, _ keyword: String, _ compiler: SchemaCompiler) throws(JSONSchemaError) -> [String] {
    guard case .array(let elements) = value else { throw failure("\(keyword) must be a list of names", keyword, compiler) }
    var names: [String] = []
    for element in elements {
      guard case .string(let name) = element else {
        throw failure("\(keyword) must be a list of names, but \(element) is not a name", keyword, compiler)
      }
      names.append(name)
    }
    return names
  }

  private func schema(_ keyword: String, _ compiler: inout SchemaCompiler) throws(JSONSchemaError) -> Int? {
    guard object[keyword] != nil else { return nil }
    return try compiler.number(of: place.appending(keyword))
  }

  private func schemas(_ keyword: String, _ compiler: inout SchemaCompiler) throws(JSONSchemaError) -> [Int]? {
    guard let value = object[keyword] else { return nil }
    guard case .array(let elements) = value else { throw failure("\(keyword) must be a list of schemas", keyword, compiler) }
    guard !elements.isEmpty || keyword == "prefixItems" || keyword == "items" else {
      throw failure("\(keyword) must be a list of at least one schema", keyword, compiler)
    }
    var numbers: [Int] = []
    for position in elements.indices {
      numbers.append(try compiler.number(of: place.appending(keyword).appending(String(position))))
    }
    return numbers
  }

  private func members(_ keyword: String, _ compiler: SchemaCompiler) throws(JSONSchemaError) -> JSONObject? {
    guard let value = object[keyword] else { return nil }
    guard case .object(let members) = value else {
      throw failure("\(keyword) must be an object, not \(SchemaWords.kind(of: value))", keyword, compiler)
    }
    return members
  }

  private func expression(_ pattern: String, _ place: SchemaPlace, _ compiler: SchemaCompiler) throws(JSONSchemaError) -> RegularExpression
  {
    do {
      return try RegularExpression(ecmaScript: pattern)
    } catch {
      throw compiler.registry.failure("\(error)", at: place)
    }
  }

  // MARK: Keywords

  private func readAssertions(into keywords: inout [SchemaKeyword], _ compiler: SchemaCompiler) throws(JSONSchemaError) {
    if let value = object["type"] { keywords.append(.type(try types(value, compiler))) }
    if let value = object["enum"] {
      guard case .array(let values) = value else { throw failure("enum must be a list of values", "enum", compiler) }
      keywords.append(.enumeration(values, index: Set(values)))
    }
    if let value = object["const"] { keywords.append(.constant(value)) }
    if let divisor = try number("multipleOf", compiler) {
      guard divisor > 0 else { throw failure("multipleOf must be more than 0", "multipleOf", compiler) }
      keywords.append(.multipleOf(divisor))
    }
    if let limit = try number("maximum", compiler) { keywords.append(.maximum(limit)) }
    if let limit = try number("exclusiveMaximum", compiler) { keywords.append(.exclusiveMaximum(limit)) }
    if let limit = try number("minimum", compiler) { keywords.append(.minimum(limit)) }
    if let limit = try number("exclusiveMinimum", compiler) { keywords.append(.exclusiveMinimum(limit)) }
    if let limit = try count("maxLength", compiler) { keywords.append(.maxLength(limit)) }
    if let limit = try count("minLength", compiler) { keywords.append(.minLength(limit)) }
    if let pattern = try string("pattern", compiler) {
      keywords.append(.pattern(try expression(pattern, place.appending("pattern"), compiler)))
    }
    if let limit = try count("maxItems", compiler) { keywords.append(.maxItems(limit)) }
    if let limit = try count("minItems", compiler) { keywords.append(.minItems(limit)) }
    if let value = object["uniqueItems"] {
      guard case .bool(let isUnique) = value else { throw failure("uniqueItems must be true or false", "uniqueItems", compiler) }
      if isUnique { keywords.append(.uniqueItems) }
    }
    if let limit = try count("maxProperties", compiler) { keywords.append(.maxProperties(limit)) }
    if let limit = try count("minProperties", compiler) { keywords.append(.minProperties(limit)) }
    if let value = object["required"] { keywords.append(.required(try strings(value, "required", compiler))) }
    if !isDraft7, let members = try members("dependentRequired", compiler) {
      var rules: [(name: String, required: [String])] = []
      for member in members.members { rules.append((member.key, try strings(member.value, "dependentRequired", compiler))) }
      keywords.append(.dependentRequired(rules, keyword: "dependentRequired"))
    }
  }

  private func types(_ value: JSONValue, _ compiler: SchemaCompiler) throws(JSONSchemaError) -> SchemaTypes {
    var types: SchemaTypes = []
    for element in value.arrayValue ?? [value] {
      guard let name = element.stringValue, let type = SchemaTypes.names.first(where: { $0.name == name })?.type else {
        let known = SchemaTypes.names.map(\.name)
        let near = element.stringValue.flatMap { name in known.first { NameDistance.areNear(name, $0) } }
        let hint = near.map { "did you mean \($0)?" } ?? "the types are \(known.joined(separator: ", "))"
        throw failure("\(element) is not a type; \(hint)", "type", compiler)
      }
      types.insert(type)
    }
    return types
  }

  private func readFormat(into keywords: inout [SchemaKeyword], _ compiler: SchemaCompiler) throws(JSONSchemaError) {
    guard let name = try string("format", compiler), compiler.options.assertsFormats || resource.dialect.assertsFormats,
      let format = SchemaFormat(rawValue: name)
    else {
      return
    }
    keywords.append(.format(format))
  }

  private func readArrayApplicators(into keywords: inout [SchemaKeyword], _ compiler: inout SchemaCompiler) throws(JSONSchemaError) {
    if isDraft7 {
      if case .array(let elements) = object["items"] {
        keywords.append(.prefixItems(try schemas("items", &compiler) ?? []))
        if let rest = try schema("additionalItems", &compiler) {
          keywords.append(.items(rest, from: elements.count))
        }
      } else if let node = try schema("items", &compiler) {
        keywords.append(.items(node, from: 0))
      }
      if let node = try schema("contains", &compiler) {
        keywords.append(.contains(node, minimum: 1, maximum: nil, marksEvaluated: false))
      }
      return
    }
    var prefixLength = 0
    if let prefix = try schemas("prefixItems", &compiler) {
      prefixLength = prefix.count
      keywords.append(.prefixItems(prefix))
    }
    if case .array = object["items"] {
      throw failure("items must be one schema in 2020-12; a list of schemas belongs in prefixItems", "items", compiler)
    }
    if let node = try schema("items", &compiler) { keywords.append(.items(node, from: prefixLength)) }
    if let node = try schema("contains", &compiler) {
      let hasValidation = resource.dialect.hasValidation
      let minimum = hasValidation ? try count("minContains", compiler) : nil
      let maximum = hasValidation ? try count("maxContains", compiler) : nil
      keywords.append(.contains(node, minimum: minimum ?? 1, maximum: maximum, marksEvaluated: true))
    }
  }

  private func readObjectApplicators(into keywords: inout [SchemaKeyword], _ compiler: inout SchemaCompiler) throws(JSONSchemaError) {
    var rules = SchemaPropertyRules()
    var hasRules = false
    if let members = try members("properties", compiler) {
      hasRules = true
      for member in members.members {
        rules.named[ScalarString(member.key)] = try compiler.number(of: place.appending("properties").appending(member.key))
      }
    }
    if let members = try members("patternProperties", compiler) {
      hasRules = true
      for member in members.members {
        let patternPlace = place.appending("patternProperties").appending(member.key)
        rules.patterns.append((try expression(member.key, patternPlace, compiler), try compiler.number(of: patternPlace)))
      }
    }
    if let node = try schema("additionalProperties", &compiler) {
      hasRules = true
      rules.additional = node
    }
    if hasRules { keywords.append(.properties(rules)) }
    if let node = try schema("propertyNames", &compiler) { keywords.append(.propertyNames(node)) }
    // 2020-12 keeps `dependencies` for schemas of earlier drafts; ignoring it silently would help
    // no user.
    try readDependencies("dependencies", into: &keywords, &compiler)
    if !isDraft7 { try readDependencies("dependentSchemas", into: &keywords, &compiler) }
  }

  private func readDependencies(
    _ keyword: String, into keywords: inout [SchemaKeyword], _ compiler: inout SchemaCompiler
  ) throws(JSONSchemaError) {
    guard let members = try members(keyword, compiler) else { return }
    var required: [(name: String, required: [String])] = []
    var nodes: [(name: String, node: Int)] = []
    for member in members.members {
      if keyword == "dependencies", member.value.isArray {
        required.append((member.key, try strings(member.value, keyword, compiler)))
      } else {
        nodes.append((member.key, try compiler.number(of: place.appending(keyword).appending(member.key))))
      }
    }
    if !required.isEmpty { keywords.append(.dependentRequired(required, keyword: keyword)) }
    if !nodes.isEmpty { keywords.append(.dependentSchemas(nodes)) }
  }

  private func readLogic(into keywords: inout [SchemaKeyword], _ compiler: inout SchemaCompiler) throws(JSONSchemaError) {
    if let nodes = try schemas("allOf", &compiler) { keywords.append(.allOf(nodes)) }
    if let nodes = try schemas("anyOf", &compiler) { keywords.append(.anyOf(nodes)) }
    if let nodes = try schemas("oneOf", &compiler) { keywords.append(.oneOf(nodes)) }
    if let node = try schema("not", &compiler) { keywords.append(.not(node)) }
    if let node = try schema("if", &compiler) {
      let then = try schema("then", &compiler)
      let otherwise = try schema("else", &compiler)
      keywords.append(.condition(node, then: then, else: otherwise))
    }
  }
}
