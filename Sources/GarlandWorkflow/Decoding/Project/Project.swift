public import GarlandDiagnostics
import GarlandYAML

/// A project file: the settings that every document in its folder, and in the folders below, inherits.
///
/// A document is merged over the project in the same way as a step over `defaults`. Every setting keeps the place where it was written.
public final class Project: Sendable {
  /// The name of the file.
  public static let fileName = "garland.project.yaml"

  /// The source file of the project.
  public let file: SourceFile
  /// The absolute path of the project's folder. Relative paths in the project file are relative to this folder.
  public let directory: String
  /// The absolute path of the file, symbolic links resolved.
  public let path: String
  /// `name:`.
  public let name: Located<String>?
  /// `default_profile:`.
  public let defaultProfile: Located<String>?
  /// `profiles:`, in file order.
  public let profiles: [Located<String>]
  /// `run:`.
  public let run: ProjectRun
  /// `ignore_warnings:`: codes of warnings that are not reported.
  public let ignoredWarnings: Set<IgnorableWarning>
  /// `quarantine:`.
  public let quarantine: [QuarantineEntry]
  /// The mistakes that the project file shows by itself. A mistake that depends on a document, such as an undefined name, is reported with
  /// that document.
  public let diagnostics: DiagnosticList
  /// The root node of the file; nil if the file could not be parsed.
  let root: YAMLNode?
  /// The top-level entries of the file by key.
  let entries: [ProjectKey: YAMLMapping.Entry]
  /// The paths of the documents that `use` of the project names, and of all documents that these use or call. These documents inherit the
  /// project without `use`: otherwise each of them would use itself.
  let sharedDocuments: Set<String>

  init(
    file: SourceFile, path: String, name: Located<String>?, defaultProfile: Located<String>?, profiles: [Located<String>], run: ProjectRun,
    ignoredWarnings: Set<IgnorableWarning>, quarantine: [QuarantineEntry] = [], diagnostics: DiagnosticList, root: YAMLNode?,
    entries: [ProjectKey: YAMLMapping.Entry], sharedDocuments: Set<String>
  ) {
    self.quarantine = quarantine
    self.file = file
    self.path = path
    directory = PathName.folder(of: path)
    self.name = name
    self.defaultProfile = defaultProfile
    self.profiles = profiles
    self.run = run
    self.ignoredWarnings = ignoredWarnings
    self.diagnostics = diagnostics
    self.root = root
    self.entries = entries
    self.sharedDocuments = sharedDocuments
  }

  /// Whether the `defaults` or a profile of the project set a `base_url`.
  public var setsBaseURL: Bool {
    let profiles = entries[.profiles]?.value.mapping?.entries.map(\.value) ?? []
    return ([entries[.defaults]?.value].compactMap { $0 } + profiles).contains { $0.mapping?[StepKey.baseURL.rawValue] != nil }
  }

  /// Returns a path of the project file in the form that users of a working directory would write.
  ///
  /// - Parameters:
  ///   - path: the path as written in the project file.
  ///   - workingDirectory: the absolute path of the working directory.
  public func path(_ path: String, from workingDirectory: String) -> String {
    let whole = FileAccess.normalise(path.hasPrefix("/") ? path : directory + "/" + path)
    if whole == workingDirectory { return "." }
    return PathName.shown(whole, from: workingDirectory)
  }

  /// Whether a path is that of a project file.
  public static func isProject(_ path: String) -> Bool { path == fileName || path.hasSuffix("/" + fileName) }
}

/// The settings of a project for runs. Options of `garland run` take precedence.
public struct ProjectRun: Sendable {
  /// `paths:`, as written.
  public var paths: [Located<String>] = []
  /// `concurrency:`.
  public var concurrency: Located<Int>?
  /// `reports:`, each `FORMAT=FILE`.
  public var reports: [Located<String>] = []
  /// `deadline:`.
  public var deadline: Located<Duration>?

  init() {}
}

/// Functions for paths as text.
enum PathName {
  /// Returns the folder of an absolute path.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  /// Returns an absolute path as users of a working directory would write it: relative if the path is in the directory, or in a folder
  /// above it.
  static func shown(_ path: String, from directory: String) -> String {
    let base = directory == "/" ? "/" : directory + "/"
    if path.hasPrefix(base) { return String(path.dropFirst(base.count)) }
    let folder = folder(of: path)
    guard base.hasPrefix(folder == "/" ? "/" : folder + "/") else { return path }
    let depth = base.dropFirst(folder.count).split(separator: "/").count
    return String(repeating: "../", count: depth) + (path.split(separator: "/").last.map(String.init) ?? "")
  }
}
