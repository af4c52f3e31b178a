public import GarlandDiagnostics

/// The inside of one `${…}`, parsed, checked and with all its names resolved.
public final class Expression: Sendable {
  /// Its text, as written.
  public let source: String
  /// The variables, secrets and environment variables it uses.
  public let inputs: [InputReference]
  /// The steps it names, in order; which key it stands in, its user knows.
  let steps: [ExpressionStepUse]
  /// What it looks at of the response at hand.
  let ownNeeds: ResponseNeeds
  /// What its value can be, as far as that is known.
  let kinds: ValueKinds
  let root: ExpressionNode
  /// Where `source` begins in the scalar's text.
  private let start: Int
  private let locator: ScalarLocator

  init(
    source: String, start: Int, locator: ScalarLocator, root: ExpressionNode, kinds: ValueKinds, steps: [ExpressionStepUse],
    inputs: [InputReference], ownNeeds: ResponseNeeds
  ) {
    self.source = source
    self.start = start
    self.locator = locator
    self.root = root
    self.kinds = kinds
    self.steps = steps
    self.inputs = inputs
    self.ownNeeds = ownNeeds
  }

  /// Where it stands, without `${` and `}`.
  public var range: SourceRange { locator.range(start..<start + source.utf8.count) }

  /// The ordinals of the steps it names, in order.
  package var stepOrdinals: [Int] { steps.map(\.target) }

  /// Whether it uses a secret by name.
  var usesSecrets: Bool {
    inputs.contains { if case .secret = $0.target { true } else { false } }
  }

  /// Where a part of it stands.
  func location(_ range: Range<Int>) -> SourceRange { locator.range(range) }

  /// The source of a part of it.
  func text(_ range: Range<Int>) -> String {
    let bytes = Array(source.utf8)
    let lower = min(max(range.lowerBound - start, 0), bytes.count)
    let upper = min(max(range.upperBound - start, lower), bytes.count)
    return String(decoding: bytes[lower..<upper], as: UTF8.self)
  }
}

/// A step that an expression names.
struct ExpressionStepUse: Sendable {
  let target: Int
  let member: StepReference.Member
  let name: String
  let range: SourceRange
  let isOptional: Bool
}
