public import GarlandDiagnostics

/// Reads YAML 1.2 (by libyaml) into located trees.
///
/// ```swift
/// var diagnostics = DiagnosticList()
/// let documents = YAMLParser.parse(name: "smoke.yaml", bytes: bytes, into: &diagnostics)
/// ```
///
/// Everything that is wrong is reported with its place. A syntax error ends the stream (what comes after it could mean anything), but for
/// ``RepairedYAML``; errors of meaning, such as a duplicate key, are all reported in one pass.
public enum YAMLParser {
  /// Parses a file's bytes: UTF-8, or UTF-16 with a byte order mark or recognised by its zero bytes.
  ///
  /// - Parameters:
  ///   - name: what errors call the file.
  ///   - bytes: its content.
  ///   - limits: what it may cost.
  ///   - diagnostics: where errors go.
  /// - Returns: the documents that were read to their end; for an empty file one without a root. When an error was reported they may lack
  ///   what was wrong.
  public static func parse(
    name: String, bytes: [UInt8], limits: YAMLLimits = YAMLLimits(), into diagnostics: inout DiagnosticList
  ) -> [YAMLDocument] {
    guard let file = text(name: name, bytes: bytes, limits: limits, into: &diagnostics) else { return [] }
    return parse(file, limits: limits, into: &diagnostics)
  }

  /// A file's text, from UTF-8 or UTF-16; nil if it is neither, which is reported.
  ///
  /// - Parameters:
  ///   - name: what errors call the file.
  ///   - bytes: its content.
  ///   - limits: what it may cost.
  ///   - diagnostics: where errors go.
  public static func text(
    name: String, bytes: [UInt8], limits: YAMLLimits = YAMLLimits(), into diagnostics: inout DiagnosticList
  ) -> SourceFile? {
    SourceDecoding.decode(name: name, bytes: bytes, limits: limits, into: &diagnostics)
  }

  /// Parses a file whose bytes are UTF-8.
  ///
  /// - Parameters:
  ///   - file: the text; a byte order mark at its start is skipped.
  ///   - limits: what it may cost.
  ///   - diagnostics: where errors go.
  /// - Returns: the documents that were read to their end; for an empty file one without a root. When an error was reported they may lack
  ///   what was wrong.
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
