import GarlandDiagnostics
import GarlandJSON

/// A compiled (sub-)expression with its place.
final class ExpressionNode: Sendable {
  let kind: Kind
  let range: SourceRange

  init(_ kind: Kind, at range: SourceRange) {
    self.kind = kind
    self.range = range
  }

  enum Kind: Sendable {
    case constant(Value)
  }
}
