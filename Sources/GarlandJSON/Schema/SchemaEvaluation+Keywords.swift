extension SchemaEvaluation {
  mutating func evaluate(
    _ keyword: SchemaKeyword, _ node: SchemaNode, _ instance: JSONValue, quiet: Bool, _ parts: inout EvaluatedParts
  ) throws(JSONSchemaEvaluationError) -> Bool {
    switch keyword {
    case .type(let types):
      return types.admits(instance) || fail(node, "type", quiet) { "expected \(types.words), found \(SchemaWords.kind(of: instance))" }
    case .enumeration(let values, let index):
      try chargeWhole(instance, node)
      return index.contains(instance)
        || fail(node, "enum", quiet) { "expected one of \(SchemaWords.list(values)), found \(SchemaWords.value(instance))" }
    case .constant(let value):
      try chargeWhole(instance, node)
      return instance == value
        || fail(node, "const", quiet) { "expected \(SchemaWords.value(value)), found \(SchemaWords.value(instance))" }
    case .multipleOf, .maximum, .exclusiveMaximum, .minimum, .exclusiveMinimum:
      guard case .number(let number) = instance else { return true }
      return evaluate(keyword, node, number: number, quiet: quiet)
    case .maxLength, .minLength, .pattern, .format:
      guard case .string(let text) = instance else { return true }
      return try evaluate(keyword, node, text: text, quiet: quiet)
    case .maxItems, .minItems, .uniqueItems, .prefixItems, .items, .contains, .unevaluatedItems:
      guard case .array(let elements) = instance else { return true }
      return try evaluate(keyword, node, elements: elements, quiet: quiet, &parts)
    case .maxProperties, .minProperties, .required, .properties, .propertyNames, .dependentRequired, .dependentSchemas,
      .unevaluatedProperties:
      guard case .object(let object) = instance else { return true }
      return try evaluate(keyword, node, object: object, instance, quiet: quiet, &parts)
    case .allOf, .anyOf, .oneOf, .not, .condition, .reference, .dynamicReference:
      return try evaluateLogic(keyword, node, instance, quiet: quiet, &parts)
    }
  }

  private mutating func evaluate(_ keyword: SchemaKeyword, _ node: SchemaNode, number: JSONNumber, quiet: Bool) -> Bool {
    switch keyword {
    case .multipleOf(let divisor):
      number.isMultiple(of: divisor) || fail(node, "multipleOf", quiet) { "expected a multiple of \(divisor), found \(number)" }
    case .maximum(let limit):
      !(number > limit) || fail(node, "maximum", quiet) { "expected at most \(limit), found \(number)" }
    case .exclusiveMaximum(let limit):
      number < limit || fail(node, "exclusiveMaximum", quiet) { "expected less than \(limit), found \(number)" }
    case .minimum(let limit):
      !(number < limit) || fail(node, "minimum", quiet) { "expected at least \(limit), found \(number)" }
    case .exclusiveMinimum(let limit):
      number > limit || fail(node, "exclusiveMinimum", quiet) { "expected more than \(limit), found \(number)" }
    default: true
    }
  }

  private mutating func evaluate(
    _ keyword: SchemaKeyword, _ node: SchemaNode, text: String, quiet: Bool
  ) throws(JSONSchemaEvaluationError) -> Bool {
    try charge(text.utf8.count / 16, node)
    switch keyword {
    case .maxLength(let limit):
      let length = text.unicodeScalars.count
      return length <= limit
        || fail(node, "maxLength", quiet) { "expected at most \(SchemaWords.count(limit, "character")), found \(length)" }
    case .minLength(let limit):
      let length = text.unicodeScalars.count
      return length >= limit
        || fail(node, "minLength", quiet) { "expected at least \(SchemaWords.count(limit, "character")), found \(length)" }
    case .pattern(let expression):
      return try matches(expression, text, node)
        || fail(node, "pattern", quiet) { "expected text that matches '\(expression.pattern)', found \(SchemaWords.value(.string(text)))" }
    case .format(let format):
      return format.admits(text)
        || fail(node, "format", quiet) { "expected the format \(format.rawValue), found \(SchemaWords.value(.string(text)))" }
    default: return true
    }
  }

  // MARK: Logic

  private mutating func evaluateLogic(
    _ keyword: SchemaKeyword, _ node: SchemaNode, _ instance: JSONValue, quiet: Bool, _ parts: inout EvaluatedParts
  ) throws(JSONSchemaEvaluationError) -> Bool {
    switch keyword {
    case .reference(let target):
      return try evaluateInPlace(target, instance, quiet: quiet, &parts)
    case .dynamicReference(let target, let anchor):
      let resolved = anchor.map { dynamicTarget($0, otherwise: target) } ?? target
      return try evaluateInPlace(resolved, instance, quiet: quiet, &parts)
    case .allOf(let nodes):
      var isValid = true
      for number in nodes where try !evaluateInPlace(number, instance, quiet: quiet, &parts) {
        isValid = false
        if quiet { break }
      }
      return isValid
    case .anyOf(let nodes):
      var isValid = false
      for number in nodes where try evaluateInPlace(number, instance, quiet: true, &parts) {
        isValid = true
        // All matching alternatives matter only if the program tracks evaluated parts.
        if !program.tracksEvaluated { break }
      }
      if isValid || quiet { return isValid }
      let causes = try causes(ofAll: nodes, instance)
      return fail(node, "anyOf", quiet, causes: causes) { "expected at least one of \(nodes.count) alternatives to match, but none does" }
    case .oneOf(let nodes):
      return try evaluateOneOf(nodes, node, instance, quiet: quiet, &parts)
    case .not(let number):
      var ignored = EvaluatedParts()
      return try !evaluate(number, instance, quiet: true, &ignored)
        || fail(node, "not", quiet) { "the value \(SchemaWords.value(instance)) matches the schema under `not`, which it must not match" }
    case .condition(let condition, let then, let otherwise):
      let branch = try evaluateInPlace(condition, instance, quiet: true, &parts) ? then : otherwise
      guard let branch else { return true }
      return try evaluateInPlace(branch, instance, quiet: quiet, &parts)
    default: return true
    }
  }

  private mutating func evaluateOneOf(
    _ nodes: [Int], _ node: SchemaNode, _ instance: JSONValue, quiet: Bool, _ parts: inout EvaluatedParts
  ) throws(JSONSchemaEvaluationError) -> Bool {
    var holding: [Int] = []
    for (position, number) in nodes.enumerated() {
      var own = EvaluatedParts()
      guard try evaluate(number, instance, quiet: true, &own) else { continue }
      holding.append(position)
      if holding.count > 1, quiet { return false }
      parts.formUnion(own)
    }
    if holding.count == 1 { return true }
    if quiet { return false }
    if holding.isEmpty {
      let causes = try causes(ofAll: nodes, instance)
      return fail(node, "oneOf", quiet, causes: causes) { "expected exactly one of \(nodes.count) alternatives to match, but none does" }
    }
    let list = holding.map(String.init).joined(separator: ", ")
    return fail(node, "oneOf", quiet) {
      "expected exactly one of \(nodes.count) alternatives to match, but several match: those at the indexes \(list)"
    }
  }

  private mutating func causes(ofAll nodes: [Int], _ instance: JSONValue) throws(JSONSchemaEvaluationError) -> [JSONSchemaFailure] {
    var all: [JSONSchemaFailure] = []
    for number in nodes { all += try causes(number, instance) }
    return all
  }
}
