/// A single validation of one value.
struct SchemaEvaluation {
  /// The maximum depth of nested schemas. In debug builds, each level takes 12 KB of the thread's stack of 8 MB.
  private static let deepestEvaluation = 500

  let program: SchemaProgram
  private let failureLimit: Int
  private(set) var collected: [JSONSchemaFailure] = []
  /// The location of the value that is being validated.
  private(set) var path: [JSONPathElement] = []
  /// The indexes of the compiled schemas that are being evaluated. The schemas for the current value begin at the index `firstActive`. If
  /// the evaluation reaches one of these schemas again, the references are circular. Before `firstActive` are the schemas for the values
  /// that contain the current value.
  private var active: [Int] = []
  private var firstActive = 0
  /// The schema resources that the evaluation has entered so far, in which `$dynamicRef` searches for its anchor.
  private var scope: [Int] = []
  private var depth = 0
  private let computation = Computation.current

  init(program: SchemaProgram, failureLimit: Int) {
    self.program = program
    self.failureLimit = failureLimit
  }

  mutating func failures(of instance: JSONValue) throws(JSONSchemaEvaluationError) -> [JSONSchemaFailure] {
    var parts = EvaluatedParts()
    // Most values are valid, so check first without creating messages.
    if try evaluate(program.root, instance, quiet: true, &parts) { return [] }
    reset()
    var again = EvaluatedParts()
    _ = try evaluate(program.root, instance, quiet: false, &again)
    return collected
  }

  mutating func isValid(_ instance: JSONValue) throws(JSONSchemaEvaluationError) -> Bool {
    var parts = EvaluatedParts()
    return try evaluate(program.root, instance, quiet: true, &parts)
  }

  private mutating func reset() {
    collected = []
    path = []
    active = []
    firstActive = 0
    scope = []
    depth = 0
  }

  /// Returns whether a value is valid for a schema. If `quiet` is true, stops at the first failure and records
  /// no failures.
  mutating func evaluate(
    _ number: Int, _ instance: JSONValue, quiet: Bool, _ parts: inout EvaluatedParts
  ) throws(JSONSchemaEvaluationError) -> Bool {
    let node = program.nodes[number]
    try charge(16, node)
    if let always = node.always { return always || fail(node, "", quiet) { "no value is allowed, because the schema is `false`" } }
    guard !active[firstActive...].contains(number) else {
      throw .endlessReference(schemaLocation: node.location, instanceLocation: JSONPointer(path: path))
    }
    guard depth < SchemaEvaluation.deepestEvaluation else {
      throw .tooDeep(schemaLocation: node.location, instanceLocation: JSONPointer(path: path))
    }
    let entersResource = scope.last != node.resource
    if entersResource { scope.append(node.resource) }
    active.append(number)
    depth += 1
    var isValid = true
    for keyword in node.keywords {
      // If another keyword has failed, a failure because of unevaluated parts is not helpful.
      if !isValid, keyword.isUnevaluated { break }
      if try !evaluate(keyword, node, instance, quiet: quiet, &parts) {
        isValid = false
        if quiet { break }
      }
    }
    depth -= 1
    active.removeLast()
    if entersResource { scope.removeLast() }
    return isValid
  }

  /// Counts `work` units of work. The clock is read only after many units of work. Throws an error if the computation has reached its time
  /// limit.
  func charge(_ work: Int, _ node: SchemaNode) throws(JSONSchemaEvaluationError) {
    if let computation, computation.isOver(after: work) {
      throw .outOfTime(schemaLocation: node.location, instanceLocation: JSONPointer(path: path))
    }
  }

  /// Throws an error if the validation has reached its time limit. Call this function before whole values are compared, as for `enum` or
  /// `uniqueItems`.
  ///
  /// Comparing lists or objects can take long. Therefore the function counts many units of work for a list or object, so that the clock is
  /// read soon.
  func chargeWhole(_ value: JSONValue, _ node: SchemaNode) throws(JSONSchemaEvaluationError) {
    switch value {
    case .array(let items) where !items.isEmpty: try charge(4096, node)
    case .object(let object) where !object.isEmpty: try charge(4096, node)
    case .string(let text): try charge(text.utf8.count / 16, node)
    default: break
    }
  }

  /// Returns whether a member or element of the current value is valid for a schema.
  mutating func evaluate(
    _ number: Int, _ instance: JSONValue, at element: JSONPathElement, quiet: Bool
  ) throws(JSONSchemaEvaluationError) -> Bool {
    path.append(element)
    let outer = firstActive
    firstActive = active.count
    var parts = EvaluatedParts()
    let isValid = try evaluate(number, instance, quiet: quiet, &parts)
    firstActive = outer
    path.removeLast()
    return isValid
  }

  /// Checks whether the current value is valid for a subschema that applies to the whole value, such as a subschema of `allOf`. If the
  /// value is valid, returns true and adds to `parts` the members and elements that the subschema has evaluated.
  mutating func evaluateInPlace(
    _ number: Int, _ instance: JSONValue, quiet: Bool, _ parts: inout EvaluatedParts
  ) throws(JSONSchemaEvaluationError) -> Bool {
    guard program.tracksEvaluated else { return try evaluate(number, instance, quiet: quiet, &parts) }
    var own = EvaluatedParts()
    guard try evaluate(number, instance, quiet: quiet, &own) else { return false }
    parts.formUnion(own)
    return true
  }

  /// Returns the failures of the value `instance` for one alternative, such as a schema of `anyOf`. These failures do not become failures
  /// of the whole validation. `number` is the number of the compiled schema (``SchemaNode``).
  mutating func causes(_ number: Int, _ instance: JSONValue, at element: JSONPathElement? = nil) throws(JSONSchemaEvaluationError)
    -> [JSONSchemaFailure]
  {
    let outer = collected
    collected = []
    if let element {
      _ = try evaluate(number, instance, at: element, quiet: false)
    } else {
      var parts = EvaluatedParts()
      _ = try evaluate(number, instance, quiet: false, &parts)
    }
    let causes = collected
    collected = outer
    return causes
  }

  /// Records a failure unless `quiet` is true. Always returns false, so that the caller can return it as the result of the check.
  mutating func fail(
    _ node: SchemaNode, _ keyword: String, _ quiet: Bool, detail: [String] = [], causes: [JSONSchemaFailure] = [], _ message: () -> String
  ) -> Bool {
    guard !quiet, collected.count < failureLimit else { return false }
    var location = node.location
    if !keyword.isEmpty { location += JSONPointer(tokens: [keyword] + detail).uriFragment }
    collected.append(
      JSONSchemaFailure(
        instanceLocation: JSONPointer(path: path), schemaLocation: location, keyword: keyword, message: message(), causes: causes))
    return false
  }

  /// Records a failure at a member or an element of the current value. Returns false, the result of the failed check.
  mutating func fail(
    _ node: SchemaNode, _ keyword: String, _ quiet: Bool, at element: JSONPathElement, _ message: () -> String
  ) -> Bool {
    guard !quiet else { return false }
    path.append(element)
    defer { path.removeLast() }
    return fail(node, keyword, quiet, message)
  }

  /// Returns the number of the schema node to which a dynamic anchor refers. If several of the schema resources that are being evaluated
  /// have an anchor with this name, the outermost resource is used. If none of them has such an anchor, returns the given `number`.
  func dynamicTarget(_ anchor: String, otherwise number: Int) -> Int {
    for resource in scope {
      if let target = program.dynamicAnchors[resource][anchor] { return target }
    }
    return number
  }

  func matches(_ expression: RegularExpression, _ text: String, _ node: SchemaNode) throws(JSONSchemaEvaluationError) -> Bool {
    do {
      return try expression.matches(text)
    } catch {
      if case .outOfTime = error { throw .outOfTime(schemaLocation: node.location, instanceLocation: JSONPointer(path: path)) }
      throw .pattern(error, schemaLocation: node.location, instanceLocation: JSONPointer(path: path))
    }
  }
}

extension SchemaKeyword {
  var isUnevaluated: Bool {
    switch self {
    case .unevaluatedItems, .unevaluatedProperties: true
    default: false
    }
  }
}
