/// The steps of a plan that the user selects.
///
/// ```swift
/// let plan = try complete.select(Selection(steps: ["read_back"]))
/// ```
///
/// A name is the id of a step, or `file.yaml#id` if several documents have a step with this id. In both parts, `*` matches any text and `?`
/// matches any character. If several properties are set, a step must meet all of them: for example, it must have one of the names in
/// ``steps`` and one of the ``tags``.
public struct Selection: Sendable, Hashable {
  /// The names of the selected steps. An empty list selects all steps.
  var steps: [String]
  /// The tags of the selected steps: each selected step has at least one of them. An empty list selects all steps.
  var tags: [String]
  /// The names of the selected steps. An empty list selects all steps.
  ///
  /// A name that belongs to no step is an error. A name with wildcards that matches no step is ignored, if another name matches one. The
  /// property ``steps`` is stricter: such a name in it is an error, too.
  var only: [String]
  /// The names of steps to exclude. The steps that depend on them are excluded too. An excluded step still runs if a cleanup needs it. A
  /// name that belongs to no step is an error, unless it has wildcards.
  var skip: [String]

  /// Creates a selection. By default, it selects all steps.
  public init(steps: [String] = [], tags: [String] = [], only: [String] = [], skip: [String] = []) {
    self.steps = steps
    self.tags = tags
    self.only = only
    self.skip = skip
  }

  /// Whether the selection contains all steps.
  var isEverything: Bool { steps.isEmpty && tags.isEmpty && only.isEmpty && skip.isEmpty }
}
