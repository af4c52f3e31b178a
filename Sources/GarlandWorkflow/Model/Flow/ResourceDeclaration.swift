public import GarlandDiagnostics

/// An entry of a document's `resources`: something that only a limited number of steps may use at the same time, such as a test account.
public struct ResourceDeclaration: Sendable {
  /// The resource's name. Documents of the same run that declare a resource with the same name share the resource.
  public let name: Located<String>
  /// The number of steps that may use the resource at the same time.
  public let count: Int

  init(name: Located<String>, count: Int) {
    self.name = name
    self.count = count
  }
}

/// An entry of `uses:`: a resource that the step occupies while it runs.
public struct ResourceUse: Sendable {
  /// The index of the resource in ``Workflow/resources``.
  public let resource: Int
  /// The source range of the resource's name.
  public let range: SourceRange

  init(resource: Int, range: SourceRange) {
    self.resource = resource
    self.range = range
  }
}
