import GarlandText

/// The folder to which file names in reports for other systems are relative, such as the root of a repository.
package struct SourceRoot: Sendable, Hashable {
  private let root: [Substring]?
  private let workingDirectory: String

  /// Creates a root.
  ///
  /// - Parameters:
  ///   - folder: the absolute path of the root folder; nil leaves paths as the user wrote them.
  ///   - workingDirectory: the absolute path of the folder to which relative paths are relative.
  package init(_ folder: String? = nil, workingDirectory: String = "/") {
    root = folder.map { Self.parts(of: $0) }
    self.workingDirectory = workingDirectory
  }

  /// Returns the path of a file relative to the root folder. For a file outside of the root folder, or if there is no root folder, returns
  /// `name` without `./` at its beginning. Returns nil if `name` is not a path, but `standard input` or an option of the command line.
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

  /// Splits a path into its components, and resolves `.` and `..`.
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

/// Converts the paths of workflow files to URI references for reports.
enum SourcePath {

  /// Returns a path as a URI reference ([RFC 3986, section
  /// 4.1](https://www.rfc-editor.org/rfc/rfc3986#section-4.1)). Absolute paths get the scheme `file`.
  static func reference(_ path: String) -> String {
    (path.hasPrefix("/") ? "file://" : "") + PercentEncoding.encode(path, keeping: PercentEncoding.filePath)
  }
}
