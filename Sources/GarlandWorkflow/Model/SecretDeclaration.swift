public import GarlandDiagnostics

/// A secret that a document declares in `secrets:` or uses as `${secrets.NAME}`.
public struct SecretDeclaration: Sendable {
  /// Its name: that of the environment variable it comes from, unless `--secret` or a secrets file gives it.
  public let name: String
  /// Where it is declared, or, without a declaration, where it is used first.
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
