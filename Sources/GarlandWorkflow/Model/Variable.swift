public import GarlandDiagnostics

/// A variable of a document: an entry of `vars`.
public struct Variable: Sendable {
  /// The kind of source from which a variable gets its value. A later case takes precedence over an earlier case.
  public enum Origin: Sendable, Hashable {
    /// The value comes from the key `vars` of the project file.
    case project
    /// The value comes from the key `vars` of the document.
    case document
    /// The value comes from the key `vars` of the profile with the given name.
    case profile(String)
    /// The value comes from the file with the given name, an argument of the option `--vars-file`.
    case file(String)
    /// The value comes from the command line, with the option `--var`.
    case commandLine
  }

  /// The name of the variable.
  public let name: String
  /// The source range of the variable's name in the file or option that sets the value.
  public let nameRange: SourceRange
  /// The variable's value, which is evaluated once per document.
  public let value: ValueTemplate
  /// The place where the value is set, such as the document or a profile.
  public let origin: Origin
  /// The references to variables, secrets and other inputs in the value.
  public let inputs: [InputReference]

  init(name: String, nameRange: SourceRange, value: ValueTemplate, origin: Origin, inputs: [InputReference]) {
    self.name = name
    self.nameRange = nameRange
    self.value = value
    self.origin = origin
    self.inputs = inputs
  }
}
