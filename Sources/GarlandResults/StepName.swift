/// Identifies a step in a run by its workflow file and its id.
package struct StepName: Hashable, Sendable {
  /// The name of the workflow file in the form that the user wrote.
  package let file: String
  /// The id of the step.
  package let id: String

  /// Creates a name from its parts.
  package init(file: String, id: String) {
    self.file = file
    self.id = id
  }

  /// Creates the name of a step.
  package init(_ step: StepIdentity) { self.init(file: step.file, id: step.id) }
}
