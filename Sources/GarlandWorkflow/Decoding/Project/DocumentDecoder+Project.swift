import GarlandDiagnostics
import GarlandYAML

/// Determines which parts of a document are inherited from its project file.
extension DocumentDecoder {
  /// Whether the decoded file is the project file. The project file is checked as a document without steps.
  var isProject: Bool { project.map { $0.file === file } ?? false }

  /// Whether this document is shared, and therefore does not inherit the project's `use:`. A document is shared if the project's `use:`
  /// lists it, or if a listed document uses or calls it, directly or through other documents.
  var isSharedByProject: Bool {
    guard let project, !project.sharedDocuments.isEmpty else { return false }
    return options.openDocuments.contains { project.sharedDocuments.contains($0) }
  }

  /// Returns the folder of the file that contains a source range. Paths in that file are relative to this folder.
  func folder(of range: SourceRange) -> String {
    guard let project, range.file === project.file else { return directory }
    return project.directory
  }

  /// Whether a source range is in the project file, and the project file is not the decoded document itself.
  func isOfProject(_ range: SourceRange) -> Bool { project.map { $0.file === range.file && !isProject } ?? false }

  private static let foundFor = "found for "

  /// The decoder's diagnostics. Each diagnostic about the project file has a note with the name of the document that is being decoded.
  var diagnosticsWithDocument: DiagnosticList {
    guard project != nil, diagnostics.all.contains(where: { $0.range.map(isOfProject) ?? false }) else { return diagnostics }
    var result = DiagnosticList()
    for diagnostic in diagnostics.all {
      let isOutside = diagnostic.range.map(isOfProject) ?? false
      // For a document that this document uses, the note already names it.
      let isNamed = diagnostic.notes.contains { $0.range?.file === file || $0.message.hasPrefix(Self.foundFor) }
      result.report(isOutside && !isNamed ? diagnostic.note("\(Self.foundFor)\(file.name), which starts from this project") : diagnostic)
    }
    return result
  }

  /// Converts a relative path in the project file to an absolute path, since relative paths in the document are relative to the folder of
  /// the document. Returns nil if the path needs no conversion: it is absolute, empty, or not in the project file.
  func pathOfProject(_ path: String, at range: SourceRange) -> String? {
    guard isOfProject(range), !path.isEmpty, !path.hasPrefix("/") else { return nil }
    return folder(of: range) + "/" + path
  }

  /// Converts a relative path in the project file to an absolute path. The path may contain expressions. A path that begins with an
  /// expression is not changed, since it may already be absolute.
  func pathOfProject(_ path: Template) -> Template {
    switch path.content {
    case .constant(.string(let text)): pathOfProject(text, at: path.range).map { Template(.constant(.string($0)), at: path.range) } ?? path
    case .text(let pieces):
      if case .literal(let text)? = pieces.first, let moved = pathOfProject(text, at: path.range) {
        Template(.text([.literal(moved)] + pieces.dropFirst()), at: path.range)
      } else {
        path
      }
    case .constant, .expression: path
    }
  }

  /// Decodes the value of `cookies:` if it is not a mapping: a scalar that selects the cookie jar.
  func cookieJar(_ node: YAMLNode, _ scope: ExpressionScope) -> Setting<CookieJarSetting>? {
    let jar: Setting<CookieJarSetting>? = setting(node, scope)
    guard case .file(let path)? = jar?.constant, let moved = pathOfProject(path, at: node.range) else { return jar }
    return Setting(.constant(.file(moved)), at: node.range)
  }

  /// Decodes `unix_socket:`, the path of a Unix domain socket.
  func socket(_ node: YAMLNode, _ scope: ExpressionScope) -> Setting<String>? {
    let socket: Setting<String>? = setting(node, scope)
    guard let path = socket?.constant, let moved = pathOfProject(path, at: node.range) else { return socket }
    return Setting(.constant(moved), at: node.range)
  }

  /// Decodes `secrets:`, which is a list of names, or a mapping from names to the sources of their values.
  ///
  /// - Parameter isUsed: whether the secrets are declared for the run. If false, the node is only checked for mistakes.
  func declareSecrets(_ node: YAMLNode, isUsed: Bool = true) {
    switch node.content {
    case .sequence(let items):
      for item in items {
        if let name = plainText(item) { declareSecret(name, at: item.range, isUsed) }
      }
    case .mapping(let mapping):
      for entry in mapping.entries { declareSecret(entry.name, at: entry.key.range, file: secretFile(entry), isUsed) }
    case .scalar:
      report(
        .wrongType, "expected a list of names, found \(found(node))", at: node.range,
        help: "write `secrets: [NAME]`; a document must not contain their values")
    }
  }

  private func declareSecret(_ name: String, at range: SourceRange, file: Located<String>? = nil, _ isUsed: Bool) {
    guard ReservedNames.isName(name) else {
      return report(
        .badName, "`\(Words.excerpt(name))` is not a valid secret name", at: range, help: "a name has letters, digits, `_` and `-`")
    }
    if isUsed { names.declareSecret(name, at: range, file: file) }
  }

  /// Returns the absolute path of the file that contains the value of a secret. Whether the file exists is checked only when the value is
  /// needed.
  private func secretFile(_ entry: YAMLMapping.Entry) -> Located<String>? {
    guard !entry.value.isNull else { return nil }
    guard entry.value.scalar == nil else {
      report(
        .wrongType, "a document must not contain the value of a secret", at: entry.value.range,
        help: "write the path of a file that contains the value, `{ file: /run/secrets/db }`, "
          + "or only the name of the secret: `secrets: [\(Words.excerpt(entry.name))]`")
      return nil
    }
    guard let reader = reader(entry.value, SecretKey.table, "the location of the secret, such as `{ file: /run/secrets/db }`") else {
      return nil
    }
    guard let node = reader.value(.file) else {
      if !reader.hasRefusedKeys {
        report(.missingKey, "the secret `\(entry.name)` has no `file`", at: startOf(entry.value), help: "write `{ file: /run/secrets/db }`")
      }
      return nil
    }
    guard let path = plainText(node, "the path of a file") else { return nil }
    guard !path.isEmpty, case .string? = node.scalar?.value else {
      report(.wrongType, "expected the path of a file, found \(path.isEmpty ? "empty text" : found(node))", at: node.range)
      return nil
    }
    do {
      return Located(try options.files.locate(secret: path, from: folder(of: node.range)), at: node.range)
    } catch {
      report(
        error.isOutside ? .fileOutside : .missingFile,
        error.isOutside ? "`\(Words.excerpt(path))` leads outside the project" : "`\(Words.excerpt(path))`: \(error.message)",
        at: node.range, help: error.isOutside ? "allow the folder of the file with `--allow-path DIR`" : nil)
      return nil
    }
  }

  /// Reports mistakes in the profiles that are not selected. Does not report mistakes that can be found only by reading such a profile's
  /// files and evaluating its variables.
  func checkUnusedProfiles(_ profiles: [WrittenProfile]) {
    guard !isNested else { return }
    self.profiles.unused = profiles
    for profile in profiles { if let vars = profile.vars { checkNames(of: vars) } }
  }

  /// Decodes the settings of profiles that are not selected, only to report their mistakes.
  func decodeUnusedProfiles() {
    var found = diagnostics
    let missing = mentioned.missing
    for profile in profiles.unused {
      diagnostics = DiagnosticList()
      if let secrets = profile.secrets { declareSecrets(secrets, isUsed: false) }
      if !profile.settings.isEmpty { _ = decodeDefaults(profile.node.with(YAMLMapping(of: profile.settings))) }
      for diagnostic in diagnostics.all where !Self.needProfile.contains(diagnostic.code) { found.report(diagnostic) }
    }
    diagnostics = found
    mentioned.missing = missing
    emptyExpectations = []
    _ = mentioned.named.take()
  }

  /// The codes of the diagnostics that are ignored in profiles that are not selected. The variables of such a profile are missing, and its
  /// files may be on another machine.
  private static let needProfile: Set<DiagnosticCode> = [.undefinedName, .missingFile, .fileOutside, .file]
}
