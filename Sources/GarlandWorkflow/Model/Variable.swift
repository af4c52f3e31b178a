public import GarlandDiagnostics

/// An entry of a document's `vars`.
public struct Variable: Sendable {
  /// The source of a variable's value. A later case takes precedence over an earlier case.
  public enum Origin: Sendable, Hashable {
    /// The key `vars` of the project file.
    case project
    /// The key `vars` of the document.
    case document
    /// The key `vars` of the profile with this name.
    case profile(String)
    /// A file of variables: `--vars-file`.
    case file(String)
    /// The command line: `--var`.
    case commandLine
  }

  /// The name of the variable.
  public let name: String
  /// The place of the variable's name in the file or option that sets the value.
  public let nameRange: SourceRange
  /// The variable's value, which is evaluated once per document.
  public let value: ValueTemplate
  /// The source of the variable's value.
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
