public import GarlandDiagnostics

/// One document of a YAML stream.
public struct YAMLDocument: Sendable {
  /// The source it was read from, as UTF-8.
  public let file: SourceFile
  /// Its value; nil if there is nothing in it but space and comments.
  public let root: YAMLNode?
  /// From its first to its last visible character (the `---` included if there is one).
  public let range: SourceRange

  init(file: SourceFile, root: YAMLNode?, range: SourceRange) {
    self.file = file
    self.root = root
    self.range = range
  }
}
