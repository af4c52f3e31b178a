public import GarlandJSON

/// What is expected of what a JSONPath selects: of the value of a singular path, of the list of the values of any other.
public struct SelectedPredicates: Sendable {
  /// What selects it.
  public let path: JSONPath
  /// What holds for it.
  public let predicates: [Predicate]
}
