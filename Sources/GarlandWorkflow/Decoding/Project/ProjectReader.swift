import GarlandDiagnostics
import GarlandYAML

/// Reads a project file. This type decodes the keys that only project files have; ``DocumentDecoder`` decodes the keys that documents also
/// have.
struct ProjectReader {
  let files: FileAccess
  let limits: YAMLLimits

  /// Returns an empty project for a project file that cannot be used.
  ///
  /// - Parameter diagnostics: the reasons why the file cannot be used.
  func broken(_ file: SourceFile, path: String, _ diagnostics: DiagnosticList) -> Project {
    Project(
      file: file, path: path, defaultProfile: nil, run: ProjectRun(), ignoredWarnings: [],
      diagnostics: diagnostics, root: nil,
      entries: [:], sharedDocuments: [])
  }

  func read(name: String, path: String, bytes: [UInt8]) -> Project {
    var diagnostics = DiagnosticList()
    guard let file = YAMLParser.text(name: name, bytes: bytes, limits: limits, into: &diagnostics) else {
      return broken(SourceFile(name: name, bytes: []), path: path, diagnostics)
    }
    let documents = YAMLParser.parse(file, limits: limits, into: &diagnostics).filter { $0.root != nil }
    if documents.count > 1 {
      diagnostics.report(Diagnostic(.notAWorkflow, "a file can contain only one project, found another", at: documents[1].range))
    }
    // An empty project file is valid: it marks the folder of the project.
    guard !diagnostics.hasErrors, let root = documents.first?.root else { return broken(file, path: path, diagnostics) }
    let options = WorkflowDecoder.Options(files: files, limits: limits)
    let decoder = DocumentDecoder(file, directory: PathName.folder(of: path), options: options)
    return decoder.decodeProject(root, path: path)
  }
}

extension DocumentDecoder {
  /// Decodes the project from the root node of its file.
  func decodeProject(_ root: YAMLNode, path: String) -> Project {
    guard let reader = reader(root, ProjectKey.table, "a project such as `{ defaults: { base_url: … } }`") else {
      return ProjectReader(files: options.files, limits: options.limits).broken(file, path: path, diagnostics)
    }
    names.refused = Self.refusedKeys(ofProject: root)
    if let version = reader.value(.garland), version.scalar?.text != "1" {
      report(
        .badVersion, "this version of Garland reads only `garland: 1`, found \(found(version))", at: version.range,
        help: "write `garland: 1`", replacement: "1")
    }
    // The name is only for readers of the file.
    _ = reader.value(.name).flatMap { plainText($0) }
    let run = reader.value(.run).map { decodeRun($0) } ?? ProjectRun()
    let entries = Dictionary(reader.entries.filter { !$0.entry.value.isNull }.map { ($0.key, $0.entry) }) { first, _ in first }
    let profiles = WrittenProfiles(entries[.profiles]?.value, self)
    profiles.check(self)
    let defaultProfile = reader.value(.defaultProfile).flatMap { node in plainText(node).map { Located($0, at: node.range) } }
    if let defaultProfile { requireProfile(defaultProfile.value, at: defaultProfile.range, among: profiles.names.map(\.value)) }
    return Project(
      file: file, path: path, defaultProfile: defaultProfile, run: run,
      ignoredWarnings: reader.value(.ignoreWarnings).map { decodeIgnoredWarnings($0) } ?? [],
      quarantine: reader.value(.quarantine).map { decodeQuarantine($0) } ?? [], diagnostics: diagnostics,
      refused: names.refused, root: root, entries: entries, sharedDocuments: sharedDocuments(entries[.use]?.value))
  }

  /// Returns the top-level keys that the author of a project file probably meant by misspelt keys.
  ///
  /// The result contains only keys that documents can have, too. For a misspelt `default_profile`, which documents cannot have, the result
  /// contains `profiles`: the variables of the default profile are then missing, as they are if `profiles` is misspelt.
  private static func refusedKeys(ofProject root: YAMLNode) -> KeySet<RootKey> {
    guard let mapping = root.mapping else { return [] }
    let meant = MappingReader.meantKeys(of: mapping, ProjectKey.table).keys
    return KeySet(meant.compactMap { $0 == .defaultProfile ? .profiles : $0.root })
  }

  private func decodeIgnoredWarnings(_ node: YAMLNode) -> Set<IgnorableWarning> {
    guard let items = node.sequence else {
      report(
        .wrongType, "expected a list of codes of warnings, found \(found(node))", at: node.range,
        replacement: node.isText ? "[\(node.text)]" : nil)
      return []
    }
    return Set(items.compactMap { word($0, of: IgnorableWarning.self) })
  }

  private func decodeRun(_ node: YAMLNode) -> ProjectRun {
    var run = ProjectRun()
    guard let reader = reader(node, RunKey.table, "settings of `garland run` such as `{ concurrency: 8 }`") else { return run }
    run.paths = reader.value(.paths).map { texts($0, "a path, or a list of paths") } ?? []
    run.reports = reader.value(.reports).map { texts($0, "a report such as `junit=report.xml`, or a list of them") } ?? []
    if let node = reader.value(.concurrency) {
      if let count = node.smallNumber, count > 0 {
        run.concurrency = Located(count, at: node.range)
      } else {
        report(.wrongType, "expected a whole number of at least 1, found \(found(node))", at: node.range)
      }
    }
    if let node = reader.value(.deadline), plainText(node, Duration.expectation) != nil {
      run.deadline = setting(node, .outside, as: Duration.self)?.constant.map { Located($0, at: node.range) }
    }
    return run
  }

  /// Decodes a text, or a list of texts.
  private func texts(_ node: YAMLNode, _ what: String) -> [Located<String>] {
    if node.mapping != nil {
      report(.wrongType, "expected \(what), found a mapping", at: node.range)
      return []
    }
    return (node.sequence ?? [node]).compactMap { item in plainText(item, what).map { Located($0, at: item.range) } }
  }

  /// Reports an error if no profile has the given name. If the key `profiles` is misspelt, the profiles are unknown, so no error is
  /// reported.
  func requireProfile(_ name: String, at range: SourceRange, among names: [String]) {
    guard !names.contains(name), !self.names.refused.contains(.profiles) else { return }
    let near = Suggestion.nearest(to: name, in: names)
    report(
      .undefinedProfile, "there is no profile `\(Words.excerpt(name))`", at: range,
      help: near.map { "did you mean `\($0)`?" } ?? Words.available(names, near: name) ?? "declare it under `profiles:`", replacement: near)
  }

  /// Returns the paths of the documents listed in the project's `use:`, and of all documents that they use or call, directly or indirectly.
  /// Mistakes in these documents are ignored; they are reported when the documents are used.
  private func sharedDocuments(_ uses: YAMLNode?) -> Set<String> {
    var options = options
    options.library = DocumentLibrary()
    let scout = DocumentDecoder(file, directory: directory, options: options)
    for entry in uses?.mapping?.entries ?? [] {
      if let path = entry.value.scalar?.text { _ = scout.load(path, at: entry.value.range) }
    }
    return options.library.paths
  }
}
