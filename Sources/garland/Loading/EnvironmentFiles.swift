import GarlandDiagnostics
import GarlandWorkflow
import Glibc

/// The `.env` files in the folder of a project file. If an environment variable is missing, these files provide its value, for `env.NAME`
/// and for secrets.
struct EnvironmentFiles {
  /// A value and the file that contains it.
  struct Entry {
    let text: String
    /// The name of the file that contains the entry, and the number of the entry's line.
    let place: String
  }

  private static let limit = 16 << 20

  private(set) var entries: [String: Entry] = [:]

  /// Creates a list without files and values.
  init() {}

  /// Reads the dotenv files in a project's folder, such as `.env`.
  ///
  /// - Parameters:
  ///   - folder: the absolute path of the project's folder.
  ///   - shown: the folder's name in messages; empty for the working directory.
  ///   - profile: the selected profile.
  ///   - files: the file system.
  ///   - diagnostics: receives warnings.
  init(in folder: String, shown: String, profile: String?, files: any WorkflowFiles, into diagnostics: inout DiagnosticList) {
    var found: [(name: String, path: String)] = []
    for name in Self.names(profile: profile) {
      let path = folder == "/" ? "/" + name : folder + "/" + name
      guard files.kind(of: path) != .missing, files.kind(of: path) != .folder else { continue }
      let label = shown.isEmpty ? name : shown + "/" + name
      found.append((label, path))
      do throws(WorkflowFileError) {
        add(label, try files.read(path, limit: Self.limit), into: &diagnostics)
      } catch {
        diagnostics.report(Diagnostic("unreadable-file", "the file `\(label)` can't be read: \(error.message)", at: nil))
      }
    }
    guard !found.isEmpty else { return }
    let tracked = Self.tracked(found.map(\.path), in: folder)
    for (label, path) in found {
      if Self.othersCanRead(path) {
        diagnostics.report(
          Diagnostic("readable-secrets", severity: .warning, "other users of this machine can read \(label)", at: nil)
            .help("remove this permission: `chmod 600 \(label)`"))
      }
      if tracked.contains(path) {
        diagnostics.report(
          Diagnostic("tracked-secrets", severity: .warning, "git tracks \(label)", at: nil)
            .help("remove it from the repository, `git rm --cached \(label)`, and add it to `.gitignore`"))
      }
    }
  }

  /// Whether the files contain no values.
  var isEmpty: Bool { entries.isEmpty }

  /// Maps the name of each variable to its value.
  var texts: [String: String] { entries.mapValues(\.text) }

  /// Returns the names of the `.env` files. An earlier file takes precedence over a later file.
  static func names(profile: String?) -> [String] {
    let local = profile.map { $0.contains("/") ? [] : [".env.\($0).local", ".env.\($0)"] } ?? []
    return local + [".env.local", ".env"]
  }

  private mutating func add(_ label: String, _ bytes: [UInt8], into diagnostics: inout DiagnosticList) {
    var found = DiagnosticList()
    let values = ValuesFile.secrets(name: label, .dotenv, bytes: bytes, into: &found)
    // Other programs also read the file, and may accept lines that Garland rejects.
    for var diagnostic in found.all {
      diagnostic.severity = .warning
      diagnostics.report(diagnostic)
    }
    var own: [String: Entry] = [:]
    for (name, text) in values { own[name.value] = Entry(text: text, place: "\(name.range.file.name):\(name.range.start.line)") }
    entries.merge(own) { earlier, _ in earlier }
  }

  // MARK: Permissions

  /// Whether every user of the machine can read a file, because the permissions of the file and of all its parent folders allow it.
  private static func othersCanRead(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IROTH != 0 else { return false }
    var folder = Workspace.folder(of: path)
    while true {
      guard stat(folder, &status) == 0, status.st_mode & S_IXOTH != 0 else { return false }
      if folder == "/" { return true }
      folder = Workspace.folder(of: folder)
    }
  }

  /// Returns the given files that git tracks. Without git, returns no files.
  private static func tracked(_ paths: [String], in folder: String) -> Set<String> {
    guard isInRepository(folder) else { return [] }
    let arguments = ["-C", folder, "ls-files", "-z", "--"] + paths
    guard let result = try? ExternalProgram.run("git", arguments), result.status == 0 else { return [] }
    let names = result.output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    return Set(paths.filter { path in names.contains { path.hasSuffix("/" + $0) } })
  }

  private static func isInRepository(_ folder: String) -> Bool {
    var folder = folder
    while true {
      if access(folder == "/" ? "/.git" : folder + "/.git", F_OK) == 0 { return true }
      if folder == "/" { return false }
      folder = Workspace.folder(of: folder)
    }
  }
}
