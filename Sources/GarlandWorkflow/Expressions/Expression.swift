public import GarlandDiagnostics
import GarlandJSON

/// The expression in a `${…}`, parsed and checked, with all names resolved.
public final class Expression: Sendable {
  /// The parsed form of the expression. Most expressions of a large document have the form `STEP.EXTRACT`, `vars.NAME`, `secrets.NAME` or
  /// `env.NAME`. They are stored as indexes, and their names are read from the source text when they are needed.
  private enum Storage: Sendable {
    case extract(index: Int32, step: Int32)
    case variable(Int32)
    case secret(Int32)
    case environment(Int32)
    case node(ExpressionNode)
  }

  /// Properties that most expressions do not have. They are in a separate object, so that an expression without these properties needs less
  /// memory.
  private final class Rare: Sendable {
    let inputs: [InputReference]
    let steps: [ExpressionStepUse]

    init(inputs: [InputReference], steps: [ExpressionStepUse]) {
      self.inputs = inputs
      self.steps = steps
    }
  }

  // These properties are in the order that needs the least memory, since a large document has hundreds of thousands of expressions.
  private let rare: Rare?
  private let locator: ScalarLocator
  /// The offset in the scalar's text at which ``source`` begins.
  private let start: Int32
  private let storage: Storage
  /// The possible kinds of the expression's value, as far as they are known.
  let kinds: ValueKinds
  /// The parts of the current response that the expression uses, such as `json` in `response.json`. The current response is the one that
  /// `expect` checks, or from which `extract` takes values.
  let ownNeeds: ResponseNeeds
  private let length: Int32

  /// The text of the expression as written in the document.
  public var source: String { locator.text(place) }
  private var place: Range<Int> { Int(start)..<Int(start) + Int(length) }
  /// The references to variables, secrets, environment variables, inputs and `auth` entries in the expression.
  public var inputs: [InputReference] {
    switch storage {
    case .extract: []
    case .node: rare?.inputs ?? []
    case .variable(let index): [InputReference(target: .variable(Int(index)), range: range, isOptional: false)]
    case .secret(let index): [InputReference(target: .secret(Int(index)), range: range, isOptional: false)]
    case .environment(let index): [InputReference(target: .environment(Int(index)), range: range, isOptional: false)]
    }
  }
  /// The number of references to steps in the expression.
  var stepCount: Int { if case .extract = storage { 1 } else { rare?.steps.count ?? 0 } }

  /// Returns one of the expression's references to steps.
  ///
  /// - Parameter position: the index of the reference, from 0 to ``stepCount`` - 1.
  func step(at position: Int) -> ExpressionStepUse {
    guard case .extract(let index, let step) = storage else { return rare?.steps[position] ?? .nothing(at: range) }
    return ExpressionStepUse(
      target: Int(step), member: .extract(Int(index)), name: Self.names(in: source).name, range: range, isOptional: false)
  }

  /// The whole expression as a tree. For an expression that is only a name, such as `vars.NAME`, each access creates the tree anew.
  package var root: ExpressionNode {
    switch storage {
    case .node(let node): return node
    case .extract(let index, let step):
      let (id, name) = Self.names(in: source)
      return ExpressionNode(.extract(index, step: step, id: id, name: name), at: place)
    case .variable(let index): return ExpressionNode(.variable(Int(index)), at: place)
    case .secret(let index): return ExpressionNode(.secret(Int(index), name: Self.names(in: source).name), at: place)
    case .environment(let index): return ExpressionNode(.environment(Int(index), name: Self.names(in: source).name), at: place)
    }
  }

  /// Returns the value of an expression that is only a name, such as `vars.NAME`, without creating a tree.
  ///
  /// Returns nil if the value is undefined. Also returns nil in two cases in which the caller must evaluate the tree of the expression: the
  /// expression is more than a name, or its value is a list with missing items.
  func simpleValue(in context: any EvaluationContext) throws(EvaluationError) -> Value? {
    switch storage {
    case .node: return nil
    case .extract(let index, let step): return context.extracted(Int(index), of: Int(step))
    case .variable(let index):
      let value = try context.variable(Int(index))
      // A value with gaps must be evaluated as a whole, which needs the tree.
      if case .sparse = value { return nil }
      return value
    case .secret(let index): return context.secret(Int(index)).map { .secret(.string($0)) }
    case .environment(let index): return context.environmentVariable(Int(index)).map { .plain(.string($0)) }
    }
  }

  /// If the expression is only `STEP.EXTRACT`, the index of the extract, and the ordinal of the step: its number in the document. Nil for
  /// any other expression.
  var extract: (index: Int, step: Int)? {
    if case .extract(let index, let step) = storage { (Int(index), Int(step)) } else { nil }
  }

  /// Returns the two parts of the text `STEP.EXTRACT`, split at the last dot. The step may be given as `DOCUMENT.STEP`.
  private static func names(in source: String) -> (id: String, name: String) {
    guard let dot = source.utf8.lastIndex(of: UInt8(ascii: ".")) else { return (source, "") }
    return (String(source[..<dot]), String(source[source.utf8.index(after: dot)...]))
  }

  init(
    source: String, start: Int, locator: ScalarLocator, root: ExpressionNode, kinds: ValueKinds, steps: [ExpressionStepUse],
    inputs: [InputReference], ownNeeds: ResponseNeeds
  ) {
    length = Int32(clamping: source.utf8.count)
    self.start = Int32(clamping: start)
    self.locator = locator
    let name = Expression.name(root, source, inputs)
    storage = name ?? .node(root)
    rare = name != nil || inputs.isEmpty && steps.isEmpty ? nil : Rare(inputs: inputs, steps: steps)
    self.kinds = kinds
    self.ownNeeds = ownNeeds
  }

  /// Returns the short form of an expression that is only a name, written without spaces and brackets; nil for any other expression.
  private static func name(_ root: ExpressionNode, _ source: String, _ inputs: [InputReference]) -> Storage? {
    switch root.kind {
    case .extract(let index, let step, let id, let name) where inputs.isEmpty && source == "\(id).\(name)":
      .extract(index: index, step: step)
    case .variable(let index) where source.hasPrefix("vars.") && source.utf8.count == root.range.count: .variable(Int32(clamping: index))
    case .secret(let index, let name) where source == "secrets.\(name)": .secret(Int32(clamping: index))
    case .environment(let index, let name) where source == "env.\(name)": .environment(Int32(clamping: index))
    default: nil
    }
  }

  /// Creates an expression of the form `STEP.EXTRACT`: a value that another step has extracted.
  ///
  /// - Parameter place: the expression's range in the scalar's text.
  convenience init(extract index: Int, step: Int, kinds: ValueKinds, place: Range<Int>, locator: ScalarLocator) {
    self.init(.extract(index: Int32(clamping: index), step: Int32(clamping: step)), kinds, place, locator)
  }

  /// Creates an expression that consists only of `vars.NAME`.
  convenience init(variable index: Int, kinds: ValueKinds, place: Range<Int>, locator: ScalarLocator) {
    self.init(.variable(Int32(clamping: index)), kinds, place, locator)
  }

  /// Creates an expression that is only `secrets.NAME`.
  convenience init(secret index: Int, place: Range<Int>, locator: ScalarLocator) {
    self.init(.secret(Int32(clamping: index)), .text, place, locator)
  }

  /// Creates an expression that is only `env.NAME`.
  convenience init(environment index: Int, place: Range<Int>, locator: ScalarLocator) {
    self.init(.environment(Int32(clamping: index)), .text, place, locator)
  }

  private init(_ storage: Storage, _ kinds: ValueKinds, _ place: Range<Int>, _ locator: ScalarLocator) {
    start = Int32(clamping: place.lowerBound)
    length = Int32(clamping: place.count)
    self.locator = locator
    self.storage = storage
    self.kinds = kinds
    rare = nil
    ownNeeds = []
  }

  /// The value of an expression that does not depend on the run; nil for any other expression.
  var constant: JSONValue? {
    if case .node(let node) = storage { node.constant } else { nil }
  }

  /// Whether the expression calls `now()`.
  var readsClock: Bool {
    if case .node(let node) = storage { node.readsClock } else { false }
  }

  /// Whether the evaluation of the expression may take a long time even for small values, because it uses a regular expression or the
  /// digest of a file.
  package var isHeavy: Bool {
    if case .node(let node) = storage { node.isHeavy } else { false }
  }

  /// Whether the expression reads the current item of a stream as JSON.
  var readsItemJSON: Bool {
    if case .node(let node) = storage { node.readsItemJSON } else { false }
  }

  /// Whether the last filter of the expression is `raw`. The value of such an expression is inserted into a URL without encoding.
  var isRaw: Bool {
    if case .node(let node) = storage, case .filter(.raw, _, _) = node.kind { true } else { false }
  }

  /// The source range of the expression, without `${` and `}`.
  public var range: SourceRange { locator.range(place) }

  /// The ordinals (indexes in the document) of the steps to which the expression refers, in order.
  package var stepOrdinals: [Int] { (0..<stepCount).map { step(at: $0).target } }

  /// Returns the ordinals (indexes in the document) of the steps to which the expression refers in the given source range, in order.
  package func stepOrdinals(in range: SourceRange) -> [Int] {
    (0..<stepCount).map { step(at: $0) }.filter { $0.range.file === range.file && $0.range.offsets.overlaps(range.offsets) }.map(\.target)
  }

  /// Whether the expression refers to at least one step.
  package var namesSteps: Bool { stepCount > 0 }

  /// Whether the expression can have a value of the same kind as `value`.
  package func admits(_ value: Value) -> Bool { kinds.contains(ValueKinds(value.kind)) }

  /// Whether the value may be a text, a number or a boolean, which can be inserted into a text.
  var mayBeText: Bool { !kinds.isDisjoint(with: [.text, .number, .boolean]) }

  /// The possible kinds of the expression's value as words for messages, such as "a text".
  package var kindWords: String { kinds.words }

  /// Whether the expression refers to a secret.
  var usesSecrets: Bool {
    if case .secret = storage { return true }
    return rare?.inputs.contains { if case .secret = $0.target { true } else { false } } ?? false
  }

  /// Returns the source range of a part of the expression. `range` contains the offsets of this part in the text of the YAML scalar.
  package func location(_ range: Range<Int>) -> SourceRange { locator.range(range) }

  /// Returns the source text of a part of the expression.
  ///
  /// - Parameter range: the offsets of the part in the scalar's text.
  package func text(_ range: Range<Int>) -> String {
    let bytes = Array(source.utf8)
    let lower = min(max(range.lowerBound - Int(start), 0), bytes.count)
    let upper = min(max(range.upperBound - Int(start), lower), bytes.count)
    return String(decoding: bytes[lower..<upper], as: UTF8.self)
  }
}

/// A reference to a step within an expression: the step, and the part of its result that the expression uses.
struct ExpressionStepUse: Sendable {
  let name: String
  let range: SourceRange
  let storedTarget: Int32
  let storedMember: StepReference.StoredMember
  let isOptional: Bool

  init(target: Int, member: StepReference.Member, name: String, range: SourceRange, isOptional: Bool) {
    self.name = name
    self.range = range
    storedTarget = Int32(clamping: target)
    storedMember = StepReference.StoredMember(member)
    self.isOptional = isOptional
  }

  var target: Int { Int(storedTarget) }

  /// Returns a placeholder that refers to no step, for an expression that has no reference at the requested position.
  static func nothing(at range: SourceRange) -> ExpressionStepUse {
    ExpressionStepUse(target: 0, member: .address, name: "", range: range, isOptional: true)
  }
}
