public import GarlandDiagnostics
import GarlandYAML

/// A decoded project file, `garland.project.yaml`. Its settings apply to every document in the folder of the project file and in the
/// subfolders.
///
/// The settings of a document take precedence over those of the project, as the settings of a step take precedence over `defaults`. Every
/// setting keeps the source range where it was written.
public final class Project: Sendable {
  /// The name of a project file.
  public static let fileName = "garland.project.yaml"
  /// A wrong name that authors may give to a project file. A file with this name is an error, because otherwise its settings would be
  /// ignored without a message.
  static let misspeltFileName = "garland.project.yml"

  /// The source file of the project.
  public let file: SourceFile
  /// The absolute path of the project's folder. Relative paths in the project file are relative to this folder.
  public let directory: String
  /// The absolute path of the project file. It contains no symbolic links.
  public let path: String
  /// The profile that is used if none is selected, from the key `default_profile:`.
  public let defaultProfile: Located<String>?
  /// The settings for runs, from the key `run:`.
  public let run: ProjectRun
  /// The codes of warnings that are not reported, from the key `ignore_warnings:`.
  public let ignoredWarnings: Set<IgnorableWarning>
  /// The quarantined steps that the project file lists under the key `quarantine:`.
  let quarantine: [QuarantineEntry]
  /// The mistakes that can be found in the project file alone. A mistake that depends on a document, such as an undefined name, is reported
  /// with that document.
  public let diagnostics: DiagnosticList
  /// The top-level keys that are probably misspelt in the project file, in their correct spelling. A misspelt key has no effect: if `vars`
  /// is misspelt, for example, the documents of the project lack the project's variables.
  let refused: KeySet<RootKey>
  /// The root node of the project file; nil if the project file could not be parsed.
  let root: YAMLNode?
  /// The top-level entries of the project file, by key.
  let entries: [ProjectKey: YAMLMapping.Entry]
  /// The paths of the documents listed in the project's `use:`, and of all documents that the listed documents use or call. These documents
  /// do not inherit the project's `use:`, since each of them would then use itself, directly or through another document.
  let sharedDocuments: Set<String>

  init(
    file: SourceFile, path: String, defaultProfile: Located<String>?, run: ProjectRun,
    ignoredWarnings: Set<IgnorableWarning>, quarantine: [QuarantineEntry] = [], diagnostics: DiagnosticList,
    refused: KeySet<RootKey> = [], root: YAMLNode?, entries: [ProjectKey: YAMLMapping.Entry], sharedDocuments: Set<String>
  ) {
    self.quarantine = quarantine
    self.file = file
    self.path = path
    directory = PathName.folder(of: path)
    self.defaultProfile = defaultProfile
    self.run = run
    self.ignoredWarnings = ignoredWarnings
    self.diagnostics = diagnostics
    self.refused = refused
    self.root = root
    self.entries = entries
    self.sharedDocuments = sharedDocuments
  }

  /// Whether the project's `defaults` or one of its profiles sets a `base_url`.
  public var setsBaseURL: Bool {
    let profiles = entries[.profiles]?.value.mapping?.entries.map(\.value) ?? []
    return ([entries[.defaults]?.value].compactMap { $0 } + profiles).contains { $0.mapping?.written(StepKey.baseURL) != nil }
  }

  /// Converts a path that is relative to the project's folder to the form in which a user in the working directory would write it.
  ///
  /// - Parameters:
  ///   - path: the path as written in the project file.
  ///   - workingDirectory: the absolute path of the working directory.
  public func path(_ path: String, from workingDirectory: String) -> String {
    let whole = FileAccess.normalise(path.hasPrefix("/") ? path : directory + "/" + path)
    if whole == workingDirectory { return "." }
    return PathName.shown(whole, from: workingDirectory)
  }

  /// Whether a path leads to a project file, according to the file's name.
  public static func isProject(_ path: String) -> Bool { path == fileName || path.hasSuffix("/" + fileName) }
}

/// The settings of a project for runs. Options of `garland run` take precedence.
public struct ProjectRun: Sendable {
  /// The paths of the documents to run, as written under the key `paths:`.
  public var paths: [Located<String>] = []
  /// The maximum number of concurrent transfers, from the key `concurrency:`.
  public var concurrency: Located<Int>?
  /// The reports to write, from the key `reports:`, each in the form `FORMAT=FILE`.
  public var reports: [Located<String>] = []
  /// The time limit of a run, from the key `deadline:`.
  public var deadline: Located<Duration>?

  init() {}
}

/// Functions that compute with paths as text, without access to the file system.
enum PathName {
  /// Returns the folder of an absolute path.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  /// Returns an absolute path in the form that users would write. The path becomes relative to the folder `directory` if the file is in or
  /// below this folder (`books/a.yaml`), or directly in one of its parent folders (`../a.yaml`). Any other path stays absolute.
  static func shown(_ path: String, from directory: String) -> String {
    let base = directory == "/" ? "/" : directory + "/"
    if path.hasPrefix(base) { return String(path.dropFirst(base.count)) }
    let folder = folder(of: path)
    guard base.hasPrefix(folder == "/" ? "/" : folder + "/") else { return path }
    let depth = base.dropFirst(folder.count).split(separator: "/").count
    return String(repeating: "../", count: depth) + (path.split(separator: "/").last.map(String.init) ?? "")
  }
}
