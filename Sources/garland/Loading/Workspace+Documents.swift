import GarlandDiagnostics
import GarlandWorkflow
import Glibc

extension Workspace {
  /// The maximum size of a document in bytes. This limit only protects memory; the decoder has its own limit.
  static let documentLimit = 256 << 20

  /// The paths of documents and folders that are read: the paths on the command line, or else the paths of the project, or else
  /// `garland.yaml`.
  var documentArguments: [String] {
    guard namedPaths.isEmpty else { return namedPaths }
    let paths = defaultPaths
    return paths.isEmpty ? [Self.defaultDocument] : paths
  }

  /// The paths that the command line names; the path `-` means standard input.
  var namedPaths: [String] { arguments.arguments.filter { $0 == "-" || looksLikePath($0) } }

  /// The document that is used if neither the command line nor a project names one.
  static let defaultDocument = "garland.yaml"

  /// Whether there is neither a file nor a folder at a path.
  func isMissing(_ path: String) -> Bool { path != "-" && files.files.kind(of: absolute(path)) == .missing }

  /// Returns all subfolders of a folder, at any depth. Hidden folders and links are omitted, as in the search for documents.
  static func folders(below folder: String) -> [String] {
    SystemFiles().names(in: folder).map { folder + "/" + $0 }.filter(isFolder).flatMap { [$0] + folders(below: $0) }
  }

  /// Returns the documents that a path names: the workflows in a folder, or the file itself.
  mutating func expand(_ path: String) -> [String] {
    guard path != "-" else { return [path] }
    let full = absolute(path)
    switch files.files.kind(of: full) {
    case .folder:
      let found = documents(below: full, shown: path.hasSuffix("/") ? String(path.dropLast()) : path)
      if found.isEmpty {
        report(
          Diagnostic(
            "no-workflow", "the folder `\(path)` has no workflow: none of its .yaml and .yml files has `garland: 1`",
            at: placeInProject(of: path)))
      }
      // For `.`, the names have no `./` prefix, as if the user had typed them.
      return path == "." || path == "./" ? found.map { String($0.dropFirst(2)) } : found
    case .missing:
      if path == Self.defaultDocument, let brokenProject {
        report(brokenProject.diagnostics)
        return []
      }
      report(
        Diagnostic("no-such-file", "there is no \(path.hasSuffix("/") ? "folder" : "file") \(path)", at: placeInProject(of: path))
          .help(advice(on: path)))
      return []
    case .file, .unreadable: return [path]
    }
  }

  /// Returns advice for a path that does not exist.
  private func advice(on path: String) -> String {
    if let near = files.files.nearest(to: path, in: workingDirectory) { return "did you mean `\(near)`?" }
    guard path.hasSuffix(".yaml") || path.hasSuffix(".yml") else { return "name a workflow file, or a folder of them" }
    return "to create an example workflow, run `garland init \(path)`"
  }

  private mutating func documents(below folder: String, shown: String) -> [String] {
    let names: [String]
    do throws(WorkflowFileError) {
      names = try SystemFiles().list(folder)
    } catch {
      report(Diagnostic("unreadable-file", "the folder \(shown) can't be read: \(error.message)", at: nil))
      return []
    }
    var found: [String] = []
    for name in names {
      // A link to a folder is not followed, since it may lead back to a parent folder.
      if Workspace.isFolder(folder + "/" + name) {
        found += documents(below: folder + "/" + name, shown: shown + "/" + name)
      } else if name.hasSuffix(".yaml") || name.hasSuffix(".yml"), name != Project.fileName,
        !Workspace.isSpecial(folder + "/" + name),
        looksLikeWorkflow(folder + "/" + name)
      {
        found.append(shown + "/" + name)
      }
    }
    return found
  }

  /// Whether a file in a folder appears to be a workflow. Also true for a file that can't be read, so that the error is reported.
  private func looksLikeWorkflow(_ path: String) -> Bool {
    guard let bytes = try? files.files.read(path, limit: Self.documentLimit) else { return true }
    return WorkflowRecognition.isWorkflow(bytes)
  }

  /// Whether a path refers to a named pipe, a device or another special file. Such files in a folder are skipped, since reading them may
  /// block.
  private static func isSpecial(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT != S_IFREG && facts.st_mode & S_IFMT != S_IFDIR
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  mutating func decode(_ path: String, _ options: WorkflowDecoder.Options) -> Workflow? {
    do throws(WorkflowFileError) {
      let name: String
      let bytes: [UInt8]
      let directory: String
      if path == "-" {
        name = inputName
        bytes = try readStandardInput(limit: Workspace.documentLimit)
        directory = workingDirectory
      } else {
        name = path
        let full = absolute(path)
        bytes = try files.files.read(full, limit: Workspace.documentLimit)
        directory = Workspace.folder(of: full)
      }
      let (workflow, found) = WorkflowDecoder.decode(name: name, bytes: bytes, directory: directory, options: options)
      report(found)
      return workflow
    } catch {
      let source = path == "-" ? inputName : "the file `\(path)`"
      report(Diagnostic("unreadable-file", "\(source) can't be read: \(error.message)", at: nil))
      return nil
    }
  }
}
