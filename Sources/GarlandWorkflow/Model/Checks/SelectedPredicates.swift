public import GarlandJSON

/// Predicates for the values that a JSONPath selects: for the value of a singular path, for the
/// list of the values of any other.
public struct SelectedPredicates: Sendable {
  /// The path that selects the value.
  public let path: JSONPath
  /// The predicates for it.
  public let predicates: [Predicate]
}
