import GarlandDiagnostics
import GarlandWorkflow

extension Workspace {
  /// Checks a project file that was passed on the command line in place of a document.
  mutating func checkProject(at path: String, _ options: WorkflowDecoder.Options) {
    let full = absolute(path)
    let finder = ProjectFinder(.file(full), files: files, workingDirectory: workingDirectory)
    guard let project = finder.project(of: Workspace.folder(of: full)) else { return }
    var options = options
    options.projects = finder
    report(WorkflowDecoder.check(project, options: options))
  }

  /// Checks a quarantine list that was passed on the command line in place of a document.
  mutating func checkQuarantine(at path: String) {
    let finder = ProjectFinder(.nearest, files: files, workingDirectory: workingDirectory)
    report(finder.quarantine(of: Workspace.folder(of: absolute(path)))?.diagnostics ?? DiagnosticList())
  }

  /// Reports an error if neither a document nor a project declares the selected profile, since its name is probably misspelt. If only some
  /// documents declare the profile, the other documents use the project's settings.
  ///
  /// This error replaces all other diagnostics, since the missing profile may have caused them: without the profile, a document may lack
  /// its `base_url` or a variable.
  ///
  /// - Parameters:
  ///   - documents: the names of the documents.
  ///   - library: the profiles of the documents.
  mutating func refuseUnknownProfile(of documents: [String], _ library: DocumentLibrary) {
    let known = library.knownProfiles
    guard let wanted = values.profile, !known.contains(where: { $0.name.value == wanted }) else { return }
    // A document that can't be read may declare the profile.
    guard !diagnostics.hasErrors || (!documents.isEmpty && documents.allSatisfy(library.knowsProfiles)) else { return }
    collecting { $0 = DiagnosticList() }
    var names: [String] = []
    for profile in known where !names.contains(profile.name.value) { names.append(profile.name.value) }
    let project = projects?.found.first
    let whose = documents.count == 1 ? "\(documents[0]) has no profile" : "no document has a profile"
    let also = project.map { ", and neither has \($0.file.name)" } ?? ""
    let option = SourceFile(name: "--profile", bytes: Array(wanted.utf8))
    let diagnostic = Diagnostic(.undefinedProfile, "\(whose) `\(wanted)`\(also)", at: SourceRange(option, 0..<wanted.utf8.count))
    let near = Suggestion.nearest(to: wanted, in: names)
    let all = names.map { "`\($0)`" }.joined(separator: ", ")
    let listed = names.isEmpty ? "declare it under `profiles:`" : "available: \(all)"
    report(diagnostic.help(near.map { "did you mean `\($0)`?\(names.count > 1 ? " Available: \(all)" : "")" } ?? listed))
  }

  /// Adds advice to the errors that a missing profile can cause: an undefined name, or a relative URL without a base URL. An error gets the
  /// advice if another document declares the selected profile, but the document with the error and its project do not.
  mutating func nameMissingProfile(_ library: DocumentLibrary) {
    guard diagnostics.hasErrors, let wanted = values.profile else { return }
    let declaring = Set(library.knownProfiles.filter { $0.name.value == wanted }.map { $0.name.range.file.name })
    let projects = (projects?.found ?? []).map(\.file.name)
    guard !declaring.isEmpty, declaring.isDisjoint(with: projects) else { return }
    let also = projects.first.map { ", and neither has \($0)" } ?? ""
    var named = DiagnosticList()
    for diagnostic in diagnostics.all {
      let isPreventable = [.relativeURL, .undefinedName].contains(diagnostic.code)
      if isPreventable, let document = diagnostic.range?.file.name, !declaring.contains(document) {
        named.report(diagnostic.help("\(document) has no profile `\(wanted)`\(also)"))
      } else {
        named.report(diagnostic)
      }
    }
    collecting { $0 = named }
  }

  /// Returns the project of the documents that the command line names. If they belong to several projects, returns the project of the first
  /// document.
  func project(of documents: [String]) -> Project? {
    guard let projects else { return nil }
    let folder = documents.first { $0 != "-" }.map { Workspace.folder(of: absolute($0)) } ?? workingDirectory
    return projects.project(of: folder)
  }

  /// The paths of the project's documents. A command uses these documents if the command line names no documents.
  var defaultPaths: [String] {
    guard let project = projects?.project(of: workingDirectory) else { return [] }
    return project.run.paths.map { project.path($0.value, from: workingDirectory) }
  }

  /// Returns the source range of the entry in the project file's list `run.paths` whose path is `path`. Returns nil if there is no such
  /// entry, or if the command line names the paths.
  func placeInProject(of path: String) -> SourceRange? {
    guard namedPaths.isEmpty, let project = projects?.project(of: workingDirectory) else { return nil }
    return project.run.paths.first { project.path($0.value, from: workingDirectory) == path }?.range
  }

  /// The project file, if it determines the documents and has errors; otherwise nil. The project file determines the documents if the
  /// command line names no paths. Because of the errors, the list of paths in the project file may be incomplete.
  var brokenProject: Project? {
    guard namedPaths.isEmpty, let project = projects?.project(of: workingDirectory), project.diagnostics.hasErrors else { return nil }
    return project
  }

  /// The project to which the first existing path on the command line belongs. If no path exists, the project of the working directory. Nil
  /// if there is no project. The project is known before any document is read.
  var projectOfArguments: Project? {
    let paths = arguments.arguments.filter { $0 != "-" && files.files.kind(of: absolute($0)) != .missing }
    guard let first = paths.first else { return projects?.project(of: workingDirectory) }
    let path = absolute(first)
    return projects?.project(of: files.files.kind(of: path) == .folder ? path : Workspace.folder(of: path))
  }

  // MARK: Files of values

  /// The advice for a secret that is not set: which `.env` files are read. In a project, these are files beside the project file. Without a
  /// project, no `.env` file is read unless an option such as `--secrets-file` names it.
  var adviceOnEnvironmentFile: String {
    guard let project = projectOfArguments else {
      return "there is no project file, so `.env` is not read; to use it, write `--secrets-file .env`"
    }
    guard let profile = values.profile ?? project.defaultProfile?.value, !profile.contains("/") else {
      return "in a project, `.env` beside the project file is read, too"
    }
    let unread = profilesExtended(by: profile).map { ".env.\($0)" }.filter { files.files.kind(of: project.directory + "/" + $0) == .file }
    let names = unread.map { "`\($0)`" }.joined(separator: ", ")
    return "in a project, `.env.\(profile)` and `.env` beside the project file are read, too"
      + (unread.isEmpty ? "" : "; \(names) \(unread.count == 1 ? "is" : "are") not read, since the profile is `\(profile)`")
  }

  /// Returns the names of the profiles that a profile extends: its base, then the base of this base, and so on.
  private func profilesExtended(by profile: String) -> [String] {
    let known = library.knownProfiles
    var found: [String] = []
    var next: String? = profile
    while let name = next {
      next = known.last { $0.name.value == name && $0.extends != nil }?.extends
      // A cycle is an error of its own.
      guard let base = next, base != profile, !found.contains(base) else { break }
      found.append(base)
    }
    return found
  }

  /// Reads the `.env` files in the folder of the project file.
  mutating func readEnvironmentFiles(for documents: [String]) {
    guard let project = project(of: documents) else { return }
    let profile = values.profile ?? project.defaultProfile?.value
    var found = DiagnosticList()
    let shown = Workspace.folder(of: "/" + project.file.name).dropFirst()
    environmentFiles = EnvironmentFiles(
      in: project.directory, shown: project.file.name.hasPrefix("/") ? project.directory : String(shown), profile: profile,
      files: files.files,
      into: &found)
    report(found)
  }

  /// The absolute paths of the files whose change may affect every step: the files of variables and of secrets that the command line names,
  /// the project files, and the `.env` files in the folders of the project files. Missing files are included.
  var sharedFiles: [String] {
    let projects = projects?.found ?? []
    let environments = projects.flatMap { project -> [String] in
      EnvironmentFiles.names(profile: values.profile ?? project.defaultProfile?.value).map { project.directory + "/" + $0 }
    }
    let named = (values.variableFiles + values.secretFiles).filter { $0 != "-" }
    return (named + projects.map(\.path) + environments).map { files.files.resolve(absolute($0)) ?? absolute($0) }
  }

  /// The maximum size of a secret in a file, in bytes.
  private static let secretLimit = 1 << 20

  /// Reads the files that contain the values of secrets. A secret that is already set in another way is skipped. A missing file is reported
  /// only when its secret is needed.
  mutating func readSecretFiles(of workflows: [Workflow]) {
    var sources: [String: Located<String>] = [:]
    let variables = variables
    for secret in workflows.flatMap(\.secrets) {
      keepFromEnvironmentFile(secret.name)
      guard let file = secret.file else { continue }
      if let other = sources[secret.name], other.value != file.value {
        report(
          Diagnostic(.conflict, "the secret `\(secret.name)` has two different files in this run", at: file.range)
            .note("the other is here", at: other.range).help("rename the secret in one document, or run the documents one by one"))
        continue
      }
      sources[secret.name] = file
      guard secrets[secret.name] == nil, variables[secret.name]?.isEmpty != false, files.files.kind(of: file.value) == .file else {
        continue
      }
      guard let bytes = secretBytes(ofFileAt: file.value) else { continue }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        report(Diagnostic(.wrongType, "the file of the secret `\(secret.name)` is not UTF-8", at: file.range))
        continue
      }
      keep(text, named: secret.name, from: file.value)
    }
  }

  /// Takes the value of a secret from a `.env` file if the environment variable of the secret is empty. An empty variable counts as not
  /// set.
  private mutating func keepFromEnvironmentFile(_ name: String) {
    guard secrets[name] == nil, environment[name]?.isEmpty == true, let entry = environmentFiles.entries[name], !entry.text.isEmpty else {
      return
    }
    keep(entry.text, named: name, from: entry.place)
  }

  /// Returns the content of a secret's file without the line break at its end; nil if the file can't be read.
  private func secretBytes(ofFileAt path: String) -> [UInt8]? {
    guard var bytes = try? files.files.read(path, limit: Self.secretLimit) else { return nil }
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    return bytes
  }

  /// Registers with the redactor the secrets of documents that have errors, since lines of these documents are shown. A document with
  /// errors is not decoded, so the function searches the document's text for the names of secrets.
  ///
  /// - Parameter documents: The paths of all documents. The text of a document may contain the value of a secret that another document or
  ///   the project file declares.
  func registerSecretsNamedInText(of documents: [String]) {
    let ranges = diagnostics.all.flatMap { [$0.range] + $0.notes.map(\.range) }.compactMap { $0 }
    var sources = Dictionary(ranges.map { ($0.file.name, $0.file) }) { first, _ in first }
    for project in projects?.found ?? [] { sources[project.file.name] = project.file }
    for path in documents where path != "-" && sources[path] == nil {
      if let bytes = try? files.files.read(absolute(path), limit: Self.documentLimit) {
        sources[path] = SourceFile(name: path, bytes: bytes)
      }
    }
    let variables = variables
    for name in sources.values.reduce(into: Set<String>(), { $0.formUnion(SecretNames.find(in: $1)) }) {
      if let value = secrets[name] ?? variables[name] { redactor.register(value) }
    }
    for (name, source) in sources {
      for value in SecretNames.values(in: source) { redactor.register(value) }
      for path in SecretNames.filePaths(in: source) {
        guard let whole = try? files.locate(secret: path, from: Workspace.folder(of: absolute(name))), files.files.kind(of: whole) == .file,
          let bytes = secretBytes(ofFileAt: whole)
        else { continue }
        redactor.register(String(decoding: bytes, as: UTF8.self))
      }
    }
  }
}
