import GarlandJSON

/// The folder that another system names files from, such as the root of a repository.
public struct SourceRoot: Sendable, Hashable {
  private let root: [Substring]?
  private let workingDirectory: String

  /// - Parameters:
  ///   - folder: the absolute path of the folder; nil leaves paths as the user named them.
  ///   - workingDirectory: the absolute path of the folder that relative names start from.
  public init(_ folder: String? = nil, workingDirectory: String = "/") {
    root = folder.map { Self.parts(of: $0) }
    self.workingDirectory = workingDirectory
  }

  /// Returns the path of a file in the folder, or the file's name, without `./` at its beginning, if the file is somewhere else; nil for what is no
  /// file, such as standard input and arguments of the command line.
  func path(of name: String) -> String? {
    guard name != "standard input", !name.hasPrefix("--") else { return nil }
    if let root {
      let parts = Self.parts(of: name.hasPrefix("/") ? name : "\(workingDirectory)/\(name)")
      if parts.count > root.count, parts.starts(with: root) { return parts.dropFirst(root.count).joined(separator: "/") }
    }
    var path = name[...]
    while path.hasPrefix("./") { path = path.dropFirst(2).drop { $0 == "/" } }
    return String(path)
  }

  /// The names of a path, without `.` and `..`.
  private static func parts(of path: String) -> [Substring] {
    path.split(separator: "/").reduce(into: []) { parts, name in
      switch name {
      case ".": break
      case "..": _ = parts.popLast()
      default: parts.append(name)
      }
    }
  }
}

/// Paths of sources as other programs read them.
enum SourcePath {

  /// The path as a URI reference ([RFC 3986, section 4.1](https://www.rfc-editor.org/rfc/rfc3986#section-4.1)): absolute paths with the scheme `file`.
  static func reference(_ path: String) -> String {
    (path.hasPrefix("/") ? "file://" : "") + PercentText.encode(path, keeping: "/")
  }
}
