public import GarlandDiagnostics

/// The inside of one `${…}`, parsed, checked and with all its names resolved.
public final class Expression: Sendable {
  /// Where it stands, without `${` and `}`.
  public let range: SourceRange
  /// Its text, as written.
  public let source: String
  /// The steps it names, in order, with `nil` for the place, which depends on who uses it.
  package let steps: [ExpressionStepUse]
  /// The variables, secrets and environment variables it uses.
  public let inputs: [InputReference]
  /// What it looks at of the response at hand.
  package let ownNeeds: ResponseNeeds
  let root: ExpressionNode

  init(
    range: SourceRange, source: String, root: ExpressionNode, steps: [ExpressionStepUse], inputs: [InputReference], ownNeeds: ResponseNeeds
  ) {
    self.range = range
    self.source = source
    self.root = root
    self.steps = steps
    self.inputs = inputs
    self.ownNeeds = ownNeeds
  }
}

/// A step that an expression names.
package struct ExpressionStepUse: Sendable {
  package let target: Int
  package let member: StepReference.Member
  package let name: String
  package let range: SourceRange
  package let isOptional: Bool
}
