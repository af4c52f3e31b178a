public import GarlandDiagnostics

/// One of a document's `resources`: something of which steps can have only so much at once.
public struct ResourceDeclaration: Sendable {
  /// Its name. Documents of one run that use the same name share it.
  public let name: Located<String>
  /// How many steps may have it at once.
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
  /// Where its name stands.
  public let range: SourceRange

  init(resource: Int, range: SourceRange) {
    self.resource = resource
    self.range = range
  }
}
