public import GarlandJSON

/// Predicates for the values that a JSONPath selects: for the value of a singular path, or for the list of values of any other path.
public struct SelectedPredicates: Sendable {
  /// The path that selects the value.
  public let path: JSONPath
  /// The predicates for the selected value.
  public let predicates: [Predicate]
}
