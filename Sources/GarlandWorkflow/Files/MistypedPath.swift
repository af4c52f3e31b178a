import GarlandDiagnostics

extension WorkflowFiles {
  /// Returns the existing path that the author of a mistyped path probably intended; nil if there is none. The first name in the path that
  /// does not exist is replaced by a similar name in the same folder.
  ///
  /// - Parameters:
  ///   - path: the path as written.
  ///   - folder: the absolute path of the folder to which a relative path is relative.
  ///   - wanted: the kind of file that the path must have; nil for any kind.
  public func nearest(to path: String, in folder: String, kind wanted: WorkflowFileKind? = nil) -> String? {
    let names = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    var known = path.hasPrefix("/") ? "" : folder
    for (index, name) in names.enumerated() where !name.isEmpty {
      let next = known + "/" + name
      guard kind(of: next) == .missing else {
        known = next
        continue
      }
      guard name != "..", let near = Self.nearest(to: name, among: self.names(in: known.isEmpty ? "/" : known)) else { return nil }
      let rest = names[(index + 1)...]
      let found = kind(of: ([known, near] + rest).joined(separator: "/"))
      guard wanted.map({ $0 == found }) ?? (found == .file || found == .folder) else { return nil }
      return (names[..<index] + [near] + rest).joined(separator: "/")
    }
    return nil
  }

  /// Returns the name in `names` that is most similar to `name`; nil if no name is similar. The extension is not compared, so that a common
  /// `.yaml` does not make names similar.
  private static func nearest(to name: String, among names: [String]) -> String? {
    let (stem, end) = parts(of: name)
    let candidates = names.map { (name: $0, parts: parts(of: $0)) }
    let alike = candidates.filter { $0.parts.end == end }
    if let near = Suggestion.nearest(to: stem, in: alike.map(\.parts.stem)) { return alike.first { $0.parts.stem == near }?.name }
    // The name may exist with another extension, or the given name may lack its extension.
    return candidates.first { $0.parts.stem == stem && $0.name != name }?.name
  }

  private static func parts(of name: String) -> (stem: String, end: String) {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
    return (String(name[..<dot]), String(name[dot...]))
  }
}
