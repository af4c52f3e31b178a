import GarlandYAML

/// Takes one thing of the language away while a document is decoded, so that tests can prove that somebody would miss it.
///
/// It acts on the decoded document, not on what evaluates it: a run pays nothing for it.
package enum Ablation: Sendable, Hashable {
  /// A predicate that always holds, or never does.
  case predicate(String, holds: Bool)
  /// A key of `expect` that expects nothing.
  case expectation(String)
  /// A filter that gives what it is given.
  case filter(String)
  /// A function that gives null.
  case function(String)

  func kind(inPlaceOf predicate: PredicateKey, at node: YAMLNode) -> Predicate.Kind? {
    guard case .predicate(predicate.rawValue, let holds) = self else { return nil }
    // Of nothing at all the opposite never holds, and the opposite of that always does.
    let never = Predicate(kind: .not([]), keyRange: node.range, range: node.range)
    return holds ? .not([never]) : never.kind
  }
}
