public import GarlandJSON

/// Predicates for the value that a JSONPath selects, or for the list of values if the path can select several.
public struct SelectedPredicates: Sendable {
  /// The path that selects the value or values.
  public let path: JSONPath
  /// The predicates for the selected value or values.
  public let predicates: [Predicate]
}
