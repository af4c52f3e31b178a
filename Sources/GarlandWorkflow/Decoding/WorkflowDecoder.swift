public import GarlandDiagnostics
public import GarlandJSON
public import GarlandYAML

/// Decodes a workflow document. Unknown keys and values are errors, and all mistakes in the document are reported at once.
///
/// ```swift
/// let access = FileAccess(SystemFiles(), roots: [project])
/// let (workflow, diagnostics) = WorkflowDecoder.decode(file, directory: folder, options: .init(files: access))
/// ```
public enum WorkflowDecoder {
  /// The maximum size of a document that another document uses or calls: 256 MiB.
  static let documentLimit = 256 << 20

  /// A value for a variable, set outside of the document, for example on the command line.
  public struct Override: Sendable {
    /// The variable's name, with the source range of the name.
    public let name: Located<String>
    /// The variable's value. Expressions in it are not evaluated.
    public let value: JSONValue
    /// The kind of place where the value of the variable is set, such as the command line.
    public let origin: Variable.Origin

    /// Creates a value for a variable.
    ///
    /// - Parameters:
    ///   - name: the variable's name, with the source range of the name.
    ///   - value: the variable's value. Expressions in it are not evaluated.
    ///   - origin: the kind of source that sets the value, such as the command line.
    public init(name: Located<String>, value: JSONValue, origin: Variable.Origin) {
      self.name = name
      self.value = value
      self.origin = origin
    }
  }

  /// The options for decoding a document.
  public struct Options: Sendable {
    /// The file system. It is limited to the files that the document may use.
    var files: FileAccess
    /// The name of the profile to use; nil for the default profile.
    var profile: String?
    /// Values of variables that are set outside of the document. If a variable is set several times, the last value is used.
    var overrides: [Override]
    /// The limits for parsing a document.
    var limits: YAMLLimits
    /// A cache of the documents that have been decoded so far. All documents of a run share it.
    public var library = DocumentLibrary()
    /// Finds the project whose settings a document inherits; nil if documents have no project.
    public var projects: ProjectFinder?
    /// The date that decides which quarantines have ended; if nil, no quarantine ends.
    public var today: CalendarDay?
    /// The absolute paths of the documents that are being decoded. The first one is the document that the user named. Each document uses or
    /// calls the next one.
    var openDocuments: [String] = []
    /// Whether the document is decoded because another document uses it, and not because the user named it.
    var isUsed = false
    /// The language feature that is removed in an ablation test (see ``Ablation``); nil outside of such tests.
    package var ablation: Ablation?

    /// Creates options for decoding.
    ///
    /// - Parameters:
    ///   - files: the file system, limited to the files that the document may use.
    ///   - profile: the name of the profile to use; nil for the default profile.
    ///   - overrides: values of variables that are set outside of the document. If several have the same name, the last one is used.
    ///   - limits: the limits for parsing a document.
    public init(files: FileAccess, profile: String? = nil, overrides: [Override] = [], limits: YAMLLimits = YAMLLimits()) {
      self.files = files
      self.profile = profile
      self.overrides = overrides
      self.limits = limits
    }
  }

  /// Parses and decodes the bytes of a file.
  ///
  /// - Parameters:
  ///   - name: the name of the file in errors.
  ///   - bytes: the file's content.
  ///   - directory: the absolute path of the file's folder.
  ///   - options: the decoding options.
  /// - Returns: the workflow, or nil if there is an error; and all errors and warnings.
  public static func decode(
    name: String, bytes: [UInt8], directory: String, options: Options
  ) -> (workflow: Workflow?, diagnostics: DiagnosticList) {
    var diagnostics = DiagnosticList()
    var options = options
    let path = options.files.files.resolve(directory + "/" + (name.split(separator: "/").last.map(String.init) ?? name))
    if let path {
      if let known = options.library.decoded(path) { return (known, diagnostics) }
      options.openDocuments.append(path)
    }
    guard let file = YAMLParser.text(name: name, bytes: bytes, limits: options.limits, into: &diagnostics) else {
      return (nil, diagnostics)
    }
    guard !name.hasSuffix(".hurl") else {
      diagnostics.report(
        Diagnostic(.notAWorkflow, "a Hurl file is not a workflow", at: SourceRange(file, 0..<0))
          .help("`garland help from-hurl` shows how to write each feature of Hurl in Garland"))
      return (nil, diagnostics)
    }
    let result = decode(file, directory: directory, options: options)
    if let path { options.library.keep(result.workflow, at: path) }
    return result
  }

  /// Parses and decodes a source file, whose text is already known to be valid UTF-8.
  public static func decode(
    _ file: SourceFile, directory: String, options: Options
  ) -> (workflow: Workflow?, diagnostics: DiagnosticList) {
    var diagnostics = DiagnosticList()
    let documents = YAMLParser.parse(file, limits: options.limits, into: &diagnostics)
    guard diagnostics.hasErrors, let repaired = RepairedYAML(file, limits: options.limits) else {
      let (workflow, found) = decode(documents, diagnostics, directory: directory, options: options)
      return (workflow, shown(found, documents, file))
    }
    diagnostics = repaired.diagnostics
    guard let documents = repaired.documents else { return (nil, diagnostics) }
    // Further mistakes are reported as if the syntax errors were fixed.
    let (_, rest) = decode(documents, repaired.found, directory: directory, options: options)
    diagnostics.append(repaired.moved(rest))
    return (nil, shown(diagnostics, documents, file))
  }

  /// Returns the diagnostics to show to the user. If the file has the format of another tool, fixes are removed. If `garland import` can
  /// convert the file, the only diagnostic is the one that recommends this command.
  private static func shown(_ found: DiagnosticList, _ documents: [YAMLDocument], _ file: SourceFile) -> DiagnosticList {
    guard let mapping = documents.lazy.compactMap(\.root).first?.mapping, let foreign = ForeignDocument(mapping) else { return found }
    let all = found.withoutFixes(of: file)
    guard foreign.isImportable, let first = all.all.first(where: { $0.code == .badVersion }) else { return all }
    var one = DiagnosticList()
    one.report(first)
    return one
  }

  private static func decode(
    _ documents: [YAMLDocument], _ parsed: DiagnosticList, directory: String, options: Options
  ) -> (workflow: Workflow?, diagnostics: DiagnosticList) {
    var diagnostics = parsed
    let filled = documents.filter { $0.root != nil }
    if filled.count > 1 {
      diagnostics.report(
        Diagnostic(.notAWorkflow, "a file can contain only one workflow, found another", at: filled[1].range)
          .help("put each workflow into a file of its own"))
    }
    guard let document = filled.first, let root = document.root else {
      if !diagnostics.hasErrors, let document = documents.first {
        diagnostics.report(
          Diagnostic(.notAWorkflow, "the file is empty", at: SourceRange(document.file, 0..<0))
            .help("a workflow begins with `garland: 1`; to create an example, run `garland init`"))
      }
      return (nil, diagnostics)
    }
    let decoder = DocumentDecoder(document.file, directory: directory, options: options)
    if let list = options.projects?.quarantine(of: directory) { diagnostics.append(list.diagnostics) }
    if let project = decoder.project {
      diagnostics.append(project.diagnostics)
      // Without its project, nearly everything in a document would appear to be a mistake.
      guard project.root != nil || !project.diagnostics.hasErrors else { return (nil, diagnostics) }
    }
    let workflow = decoder.decode(root)
    diagnostics.append(decoder.diagnosticsWithDocument)
    let isComplete = !decoder.names.refused.contains(.profiles)
    options.library.add(profiles: decoder.profiles.known, of: document.file.name, isComplete: isComplete)
    // In the repaired text, the source ranges are different.
    if !parsed.hasErrors, let known = decoder.workflowWithErrors { options.library.keep(withErrors: known) }
    return (diagnostics.hasErrors ? nil : workflow, diagnostics)
  }
}
