public import GarlandDiagnostics

/// An entry of a document's `vars`.
public struct Variable: Sendable {
  /// The source of the value. A later case takes precedence over an earlier one.
  public enum Origin: Sendable, Hashable {
    /// The project's `vars`.
    case project
    /// The document's `vars`.
    case document
    /// The profile with this name.
    case profile(String)
    /// A file passed with `--vars-file`.
    case file(String)
    /// `--var`.
    case commandLine
  }

  /// Its name.
  public let name: String
  /// The place of the variable's name, in the source that its value comes from.
  public let nameRange: SourceRange
  /// The variable's value, which is evaluated once per document.
  public let value: ValueTemplate
  /// The source of the value.
  public let origin: Origin
  /// The variables, secrets and environment variables that the value uses.
  public let inputs: [InputReference]

  init(name: String, nameRange: SourceRange, value: ValueTemplate, origin: Origin, inputs: [InputReference]) {
    self.name = name
    self.nameRange = nameRange
    self.value = value
    self.origin = origin
    self.inputs = inputs
  }
}
