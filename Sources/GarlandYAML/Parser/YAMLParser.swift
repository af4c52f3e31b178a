public import GarlandDiagnostics

/// Reads YAML 1.2 into trees whose nodes have source ranges, with libyaml or, for simple documents, with `DirectReader`.
///
/// ```swift
/// var diagnostics = DiagnosticList()
/// let documents = YAMLParser.parse(name: "smoke.yaml", bytes: bytes, into: &diagnostics)
/// ```
///
/// Every error is reported with its position. A syntax error ends the stream, since the text after it could mean anything (see
/// ``RepairedYAML``); other errors, such as duplicate keys, are all reported in one pass.
public enum YAMLParser {
  /// Parses the bytes of a file in UTF-8, or in UTF-16, which is recognised by a byte order mark or by its zero bytes.
  ///
  /// - Parameters:
  ///   - name: The name of the file in errors.
  ///   - bytes: The content of the file.
  ///   - limits: The limits of parsing.
  ///   - diagnostics: The list that receives the errors.
  /// - Returns: The documents that were read completely. An empty file results in one document without a root. After an error, the invalid
  ///   parts may be missing.
  public static func parse(
    name: String, bytes: [UInt8], limits: YAMLLimits = YAMLLimits(), into diagnostics: inout DiagnosticList
  ) -> [YAMLDocument] {
    guard let file = text(name: name, bytes: bytes, limits: limits, into: &diagnostics) else { return [] }
    return parse(file, limits: limits, into: &diagnostics)
  }

  /// Returns a file's text, decoded from UTF-8 or UTF-16.
  ///
  /// If the file exceeds the size limit, is UTF-32 or contains broken UTF-16, adds an error to `diagnostics` and returns nil.
  ///
  /// - Parameters:
  ///   - name: The name of the file in errors.
  ///   - bytes: The content of the file.
  ///   - limits: The limits of parsing.
  ///   - diagnostics: The list that receives the errors.
  public static func text(
    name: String, bytes: [UInt8], limits: YAMLLimits = YAMLLimits(), into diagnostics: inout DiagnosticList
  ) -> SourceFile? {
    SourceDecoding.decode(name: name, bytes: bytes, limits: limits, into: &diagnostics)
  }

  /// Parses a file whose bytes are UTF-8.
  ///
  /// - Parameters:
  ///   - file: The text; a byte order mark at its start is skipped.
  ///   - limits: The limits of parsing.
  ///   - diagnostics: The list that receives the errors.
  /// - Returns: The documents that were read completely. An empty file results in one document without a root. After an error, the invalid
  ///   parts may be missing.
  public static func parse(
    _ file: SourceFile, limits: YAMLLimits = YAMLLimits(), into diagnostics: inout DiagnosticList
  ) -> [YAMLDocument] {
    guard SourceDecoding.validate(file, limits: limits, into: &diagnostics) else { return [] }
    if let document = DirectReader.read(file, limits: limits) { return [document] }
    var composer = Composer(file: file, limits: limits)
    composer.run()
    diagnostics.append(composer.diagnostics)
    return composer.documents
  }
}
