public import GarlandDiagnostics

/// A secret that a document declares in `secrets:` or uses as `${secrets.NAME}`.
public struct SecretDeclaration: Sendable {
  /// The secret's name. Its value comes from the environment variable with the same name, unless `--secret` or a secrets file contains a
  /// value.
  public let name: String
  /// The source range of the declaration. If there is no declaration, the source range of the first use.
  public let range: SourceRange
  /// The absolute path of the file that contains the value; nil if there is no such file. The file is read only if the value is not set in
  /// any other way.
  public let file: Located<String>?

  init(name: String, range: SourceRange, file: Located<String>? = nil) {
    self.file = file
    self.name = name
    self.range = range
  }
}
