import GarlandDiagnostics
import GarlandWorkflow
import Glibc

extension Workspace {
  /// The largest document that is read; the decoder has a limit of its own, this one bounds memory.
  private static let documentLimit = 256 << 20

  /// The documents that a path stands for.
  mutating func expand(_ path: String) -> [String] {
    guard path != "-" else { return [path] }
    let full = absolute(path)
    switch files.files.kind(of: full) {
    case .folder:
      let found = documents(below: full, shown: path.hasSuffix("/") ? String(path.dropLast()) : path)
      if found.isEmpty {
        report(Diagnostic("no-workflow", "\(path) holds no workflow: no file in it ends with .yaml or .yml", at: nil))
      }
      return found
    case .missing:
      report(Diagnostic("no-such-file", "there is no file \(path)", at: nil).help("`garland init \(path)` writes one to start from"))
      return []
    case .file, .unreadable: return [path]
    }
  }

  private mutating func documents(below folder: String, shown: String) -> [String] {
    guard let stream = opendir(folder) else {
      report(Diagnostic("unreadable-file", "the folder \(shown) can't be read: \(String(cString: strerror(errno)))", at: nil))
      return []
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    var found: [String] = []
    for name in names.sorted() {
      // A link to a folder is not followed: it may lead back to one above.
      if Workspace.isFolder(folder + "/" + name) {
        found += documents(below: folder + "/" + name, shown: shown + "/" + name)
      } else if name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
        found.append(shown + "/" + name)
      }
    }
    return found
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
        name = "standard input"
        bytes = try StandardInput.read(limit: Workspace.documentLimit)
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
      report(Diagnostic("unreadable-file", "\(path == "-" ? "standard input" : path) can't be read: \(error.message)", at: nil))
      return nil
    }
  }
}
