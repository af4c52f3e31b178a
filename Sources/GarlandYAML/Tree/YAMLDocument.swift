public import GarlandDiagnostics

/// One document of a YAML stream.
public struct YAMLDocument: Sendable {
  /// The source of the document, as UTF-8.
  public let file: SourceFile
  /// The value of the document; nil if the document contains only blanks and comments.
  public let root: YAMLNode?
  /// The range from the first to the last visible character, including a `---`.
  public let range: SourceRange

  init(file: SourceFile, root: YAMLNode?, range: SourceRange) {
    self.file = file
    self.root = root
    self.range = range
  }
}
