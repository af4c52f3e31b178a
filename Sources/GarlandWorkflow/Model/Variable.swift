public import GarlandDiagnostics

/// An entry of a document's `vars`.
public struct Variable: Sendable {
  /// The source of its value; a later one takes precedence.
  public enum Origin: Sendable, Hashable {
    /// The project's `vars`.
    case project
    /// The document's `vars`.
    case document
    /// The profile of that name.
    case profile(String)
    /// A file given with `--vars-file`.
    case file(String)
    /// `--var`.
    case commandLine
  }

  /// Its name.
  public let name: String
  /// The place of the name that its value belongs to.
  public let nameRange: SourceRange
  /// Its value, evaluated once for a document.
  public let value: ValueTemplate
  /// The source of the value.
  public let origin: Origin
  /// The variables, secrets and environment variables its value uses.
  public let inputs: [InputReference]

  init(name: String, nameRange: SourceRange, value: ValueTemplate, origin: Origin, inputs: [InputReference]) {
    self.name = name
    self.nameRange = nameRange
    self.value = value
    self.origin = origin
    self.inputs = inputs
  }
}
