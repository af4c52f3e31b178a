extension SchemaEvaluation {
  // MARK: Arrays

  mutating func evaluate(
    _ keyword: SchemaKeyword, _ node: SchemaNode, elements: [JSONValue], quiet: Bool, _ parts: inout EvaluatedParts
  ) throws(JSONSchemaEvaluationError) -> Bool {
    let tracks = program.tracksEvaluated
    switch keyword {
    case .maxItems(let limit):
      return elements.count <= limit
        || fail(node, "maxItems", quiet) { "expected at most \(SchemaWords.count(limit, "element")), found \(elements.count)" }
    case .minItems(let limit):
      return elements.count >= limit
        || fail(node, "minItems", quiet) { "expected at least \(SchemaWords.count(limit, "element")), found \(elements.count)" }
    case .uniqueItems:
      return try hasUniqueElements(elements, node, quiet: quiet)
    case .prefixItems(let nodes):
      var isValid = true
      for (position, number) in nodes.enumerated() where position < elements.count {
        if tracks { parts.items.insert(position) }
        if try !evaluate(number, elements[position], at: .index(position), quiet: quiet) {
          isValid = false
          if quiet { break }
        }
      }
      return isValid
    case .items(let number, let start):
      if tracks { parts.items.insertAll() }
      var isValid = true
      for position in elements.indices.dropFirst(start) where try !evaluate(number, elements[position], at: .index(position), quiet: quiet)
      {
        isValid = false
        if quiet { break }
      }
      return isValid
    case .contains(let number, let minimum, let maximum, let marksEvaluated):
      var found = 0
      for (position, element) in elements.enumerated() where try evaluate(number, element, at: .index(position), quiet: true) {
        found += 1
        if tracks, marksEvaluated { parts.items.insert(position) }
      }
      return try checkContained(found, number, minimum, maximum, node, elements, quiet: quiet)
    case .unevaluatedItems(let number):
      var isValid = true
      for (position, element) in elements.enumerated() where !parts.items.contains(position) {
        if try !evaluate(number, element, at: .index(position), quiet: true) {
          isValid = false
          if quiet { break }
          try failLeftOver(number, element, at: .index(position), node, "unevaluatedItems")
        }
      }
      if tracks { parts.items.insertAll() }
      return isValid
    default: return true
    }
  }

  private mutating func checkContained(
    _ found: Int, _ number: Int, _ minimum: Int, _ maximum: Int?, _ node: SchemaNode, _ elements: [JSONValue], quiet: Bool
  ) throws(JSONSchemaEvaluationError) -> Bool {
    if found < minimum {
      if quiet { return false }
      if minimum == 1, found == 0 {
        // A few examples explain the failure; a thousand would not explain more.
        var all: [JSONSchemaFailure] = []
        for (position, element) in elements.prefix(5).enumerated() { all += try causes(number, element, at: .index(position)) }
        return fail(node, "contains", quiet, causes: all) {
          elements.isEmpty
            ? "expected an element that matches, but the array is empty"
            : "expected an element that matches, but none of \(elements.count) does"
        }
      }
      let keyword = minimum == 1 ? "contains" : "minContains"
      return fail(node, keyword, quiet) { "expected at least \(SchemaWords.count(minimum, "element")) to match `contains`, found \(found)" }
    }
    if let maximum, found > maximum {
      return fail(node, "maxContains", quiet) {
        "expected at most \(SchemaWords.count(maximum, "element")) to match `contains`, found \(found)"
      }
    }
    return true
  }

  private mutating func hasUniqueElements(
    _ elements: [JSONValue], _ node: SchemaNode, quiet: Bool
  ) throws(JSONSchemaEvaluationError) -> Bool {
    var positions: [JSONValue: Int] = [:]
    positions.reserveCapacity(elements.count)
    for (position, element) in elements.enumerated() {
      try chargeWhole(element, node)
      if let earlier = positions.updateValue(position, forKey: element) {
        return fail(node, "uniqueItems", quiet) {
          "expected unique elements, but the elements at the indexes \(earlier) and \(position) are both \(SchemaWords.value(element))"
        }
      }
    }
    return true
  }

  // MARK: Objects

  mutating func evaluate(
    _ keyword: SchemaKeyword, _ node: SchemaNode, object: JSONObject, _ instance: JSONValue, quiet: Bool, _ parts: inout EvaluatedParts
  ) throws(JSONSchemaEvaluationError) -> Bool {
    switch keyword {
    case .maxProperties(let limit):
      return object.count <= limit
        || fail(node, "maxProperties", quiet) { "expected at most \(SchemaWords.count(limit, "member")), found \(object.count)" }
    case .minProperties(let limit):
      return object.count >= limit
        || fail(node, "minProperties", quiet) { "expected at least \(SchemaWords.count(limit, "member")), found \(object.count)" }
    case .required(let names):
      var isValid = true
      for name in names where object.position(of: name) == nil {
        isValid = fail(node, "required", quiet) { "the member '\(name)' is missing" }
        if quiet { break }
      }
      return isValid
    case .properties(let rules):
      return try evaluate(rules, node, object, quiet: quiet, &parts)
    case .propertyNames(let number):
      var isValid = true
      for member in object.members where try !evaluate(number, .string(member.key), at: .name(member.key), quiet: quiet) {
        isValid = false
        if quiet { break }
      }
      return isValid
    case .dependentRequired(let dependencies, let keyword):
      var isValid = true
      for (name, required) in dependencies where object.position(of: name) != nil {
        for missing in required where object.position(of: missing) == nil {
          isValid = fail(node, keyword, quiet, detail: [name]) { "the member '\(missing)' is missing, but '\(name)' requires it" }
          if quiet { return false }
        }
      }
      return isValid
    case .dependentSchemas(let dependencies):
      var isValid = true
      for (name, number) in dependencies where object.position(of: name) != nil {
        if try !evaluateInPlace(number, instance, quiet: quiet, &parts) {
          isValid = false
          if quiet { break }
        }
      }
      return isValid
    case .unevaluatedProperties(let number):
      var isValid = true
      for (position, member) in object.members.enumerated() where !parts.properties.contains(position) {
        if try !evaluate(number, member.value, at: .name(member.key), quiet: true) {
          isValid = false
          if quiet { break }
          try failLeftOver(number, member.value, at: .name(member.key), node, "unevaluatedProperties")
        }
      }
      if program.tracksEvaluated { parts.properties.insertAll() }
      return isValid
    default: return true
    }
  }

  private mutating func evaluate(
    _ rules: SchemaPropertyRules, _ node: SchemaNode, _ object: JSONObject, quiet: Bool, _ parts: inout EvaluatedParts
  ) throws(JSONSchemaEvaluationError) -> Bool {
    var isValid = true
    for (position, member) in object.members.enumerated() {
      var isKnown = false
      if let number = rules.named[ScalarString(member.key)] {
        isKnown = true
        if try !evaluate(number, member.value, at: .name(member.key), quiet: quiet) { isValid = false }
      }
      for (expression, number) in rules.patterns where try matches(expression, member.key, node) {
        isKnown = true
        if try !evaluate(number, member.value, at: .name(member.key), quiet: quiet) { isValid = false }
      }
      if !isKnown, let number = rules.additional {
        isKnown = true
        if program.nodes[number].always == false {
          isValid = fail(node, "additionalProperties", quiet, at: .name(member.key)) { SchemaEvaluation.unknownMember(member.key, rules) }
        } else if try !evaluate(number, member.value, at: .name(member.key), quiet: quiet) {
          isValid = false
        }
      }
      if isKnown, program.tracksEvaluated { parts.properties.insert(position) }
      if quiet, !isValid { return false }
    }
    return isValid
  }

  private static func unknownMember(_ name: String, _ rules: SchemaPropertyRules) -> String {
    let near = rules.named.keys.map(\.string).sorted().first { NameDistance.areNear(name, $0) }
    return "this member is not allowed" + (near.map { "; did you mean '\($0)'?" } ?? "")
  }

  /// Reports that a member or element is invalid for `unevaluatedProperties` or `unevaluatedItems`.
  ///
  /// The value of the keyword is a schema. If this schema is `false`, the message is that the member or element is not allowed; otherwise,
  /// the failures of this schema are reported.
  private mutating func failLeftOver(
    _ number: Int, _ value: JSONValue, at element: JSONPathElement, _ node: SchemaNode, _ keyword: String
  ) throws(JSONSchemaEvaluationError) {
    if program.nodes[number].always == false {
      _ = fail(node, keyword, false, at: element) {
        switch element {
        case .name: "this member is not allowed"
        case .index: "this element is not allowed"
        }
      }
    } else {
      _ = try evaluate(number, value, at: element, quiet: false)
    }
  }
}
