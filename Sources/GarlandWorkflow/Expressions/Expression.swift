public import GarlandDiagnostics

/// The inside of one `${…}`, parsed, checked and with all its names resolved.
public final class Expression: Sendable {
  /// Its text, as written.
  public var source: String { locator.text(Int(start)..<Int(start) + Int(length)) }
  /// The variables, secrets and environment variables it uses.
  public let inputs: [InputReference]
  /// How many steps it names; which key it stands in, its user knows.
  var stepCount: Int { if case .extract = root.kind { 1 } else { otherSteps.count } }

  /// The steps it names, in order.
  var steps: [ExpressionStepUse] { (0..<stepCount).map(step) }

  /// One of them.
  func step(at position: Int) -> ExpressionStepUse {
    // Most expressions are nothing but the name of what a step extracts.
    guard case .extract(let index, let step, _, let name) = root.kind else { return otherSteps[position] }
    return ExpressionStepUse(
      target: Int(step), member: .extract(Int(index)), name: name, range: locator.range(root.range), isOptional: false)
  }
  private let otherSteps: [ExpressionStepUse]
  /// What it looks at of the response at hand.
  let ownNeeds: ResponseNeeds
  /// What its value can be, as far as that is known.
  let kinds: ValueKinds
  let root: ExpressionNode
  /// Where `source` begins in the scalar's text.
  private let start: Int32
  private let length: Int32
  private let locator: ScalarLocator

  init(
    source: String, start: Int, locator: ScalarLocator, root: ExpressionNode, kinds: ValueKinds, steps: [ExpressionStepUse],
    inputs: [InputReference], ownNeeds: ResponseNeeds
  ) {
    length = Int32(clamping: source.utf8.count)
    self.start = Int32(clamping: start)
    self.locator = locator
    self.root = root
    self.kinds = kinds
    if case .extract = root.kind { otherSteps = [] } else { otherSteps = steps }
    self.inputs = inputs
    self.ownNeeds = ownNeeds
  }

  /// Where it stands, without `${` and `}`.
  public var range: SourceRange { locator.range(Int(start)..<Int(start) + Int(length)) }

  /// The ordinals of the steps it names, in order.
  package var stepOrdinals: [Int] { (0..<stepCount).map { step(at: $0).target } }

  /// Whether a value is of one of the kinds that the check found possible.
  package func admits(_ value: Value) -> Bool { kinds.contains(ValueKinds(value.kind)) }

  /// The kinds that the check found possible, in a sentence.
  package var kindWords: String { kinds.words }

  /// Whether it uses a secret by name.
  var usesSecrets: Bool {
    inputs.contains { if case .secret = $0.target { true } else { false } }
  }

  /// Where a part of it stands.
  func location(_ range: Range<Int>) -> SourceRange { locator.range(range) }

  /// The source of a part of it.
  func text(_ range: Range<Int>) -> String {
    let bytes = Array(source.utf8)
    let lower = min(max(range.lowerBound - Int(start), 0), bytes.count)
    let upper = min(max(range.upperBound - Int(start), lower), bytes.count)
    return String(decoding: bytes[lower..<upper], as: UTF8.self)
  }
}

/// A step that an expression names.
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
}
