/// Which steps of a plan are asked for.
///
/// ```swift
/// let plan = try complete.select(Selection(steps: ["read_back"]))
/// ```
///
/// A name is an id, or `file.yaml#id` where an id is not enough; in both parts `*` stands for any text and `?` for any character.
/// All that is given must hold: with names and tags, a step must have one of the names and one of the tags.
public struct Selection: Sendable, Hashable {
  /// Names of steps; empty for all.
  public var steps: [String]
  /// Steps with one of these tags; empty for all.
  public var tags: [String]
  /// Steps with one of these names; empty for all. Unlike `steps`, one that no step has is no error as long as another one is found.
  public var only: [String]
  /// Leaves out steps with one of these names, and their dependents. Such a step still runs if a
  /// cleanup needs it.
  public var skip: [String]

  /// Asks for everything, unless something is given.
  public init(steps: [String] = [], tags: [String] = [], only: [String] = [], skip: [String] = []) {
    self.steps = steps
    self.tags = tags
    self.only = only
    self.skip = skip
  }

  /// Whether all steps are asked for.
  public var isEverything: Bool { steps.isEmpty && tags.isEmpty && only.isEmpty && skip.isEmpty }
}
