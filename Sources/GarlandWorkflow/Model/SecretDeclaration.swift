public import GarlandDiagnostics

/// A secret that a document declares in `secrets:` or uses as `${secrets.NAME}`.
public struct SecretDeclaration: Sendable {
  /// Its name: also that of its environment variable, unless `--secret` or a secrets file gives the
  /// value.
  public let name: String
  /// The place of the declaration or, without one, of the first use.
  public let range: SourceRange
  /// Whether `secrets:` lists it.
  public let isDeclared: Bool

  /// The absolute path of the file that has the value where nothing else gives it.
  public let file: Located<String>?

  init(name: String, range: SourceRange, isDeclared: Bool, file: Located<String>? = nil) {
    self.file = file
    self.name = name
    self.range = range
    self.isDeclared = isDeclared
  }
}
