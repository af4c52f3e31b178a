public import GarlandDiagnostics
import GarlandYAML

/// A project file: what every document in its folder, and below it, starts from.
///
/// A document is decoded over it as a step is over `defaults`: everything keeps the place where it was written.
public final class Project: Sendable {
  /// The name of the file.
  public static let fileName = "garland.project.yaml"

  /// The text it was read from.
  public let file: SourceFile
  /// The absolute path of the folder that relative paths in it start from.
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
  /// The mistakes of the file by itself. A mistake that only a document shows, such as an undefined
  /// name, is reported with the document.
  public let diagnostics: DiagnosticList
  /// Its root; nil where nothing could be read.
  let root: YAMLNode?
  /// Its keys with their values.
  let entries: [ProjectKey: YAMLMapping.Entry]
  /// The paths of the documents that its `use` names, and of all that these use or call: they start from the project without `use`, which would be a circle.
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

  /// A path that the file writes, as users of a working directory write it.
  ///
  /// - Parameters:
  ///   - path: as written.
  ///   - workingDirectory: the absolute path of the folder.
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

/// Paths as text.
enum PathName {
  /// The folder that an absolute path lies in.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  /// An absolute path as users of a working directory write it: relative if it lies below the directory, or above it.
  static func shown(_ path: String, from directory: String) -> String {
    let base = directory == "/" ? "/" : directory + "/"
    if path.hasPrefix(base) { return String(path.dropFirst(base.count)) }
    let folder = folder(of: path)
    guard base.hasPrefix(folder == "/" ? "/" : folder + "/") else { return path }
    let depth = base.dropFirst(folder.count).split(separator: "/").count
    return String(repeating: "../", count: depth) + (path.split(separator: "/").last.map(String.init) ?? "")
  }
}
