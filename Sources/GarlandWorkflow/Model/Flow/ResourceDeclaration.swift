public import GarlandDiagnostics

/// An entry of a document's `resources`: something that only a number of steps can use at once.
public struct ResourceDeclaration: Sendable {
  /// Its name. Documents of one run that use the same name share it.
  public let name: Located<String>
  /// The number of steps that may use it at once.
  public let count: Int

  init(name: Located<String>, count: Int) {
    self.name = name
    self.count = count
  }
}

/// A use of a resource by a step: an entry of `uses:`.
public struct ResourceUse: Sendable {
  /// An index of ``Workflow/resources``.
  public let resource: Int
  /// The place of its name.
  public let range: SourceRange

  init(resource: Int, range: SourceRange) {
    self.resource = resource
    self.range = range
  }
}
