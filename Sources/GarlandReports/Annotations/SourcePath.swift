import GarlandJSON

/// The names of sources as the paths that other programs look them up by.
enum SourcePath {
  /// The path of a file, without `./` at its beginning; nil for what is no file, such as standard input and arguments of the command line.
  static func relative(_ name: String) -> String? {
    guard name != "standard input", !name.hasPrefix("--") else { return nil }
    var path = name[...]
    while path.hasPrefix("./") { path = path.dropFirst(2).drop { $0 == "/" } }
    return String(path)
  }

  /// The path as a URI reference ([RFC 3986, section 4.1](https://www.rfc-editor.org/rfc/rfc3986#section-4.1)): absolute paths with the scheme `file`.
  static func reference(_ path: String) -> String {
    (path.hasPrefix("/") ? "file://" : "") + PercentText.encode(path, keeping: "/")
  }
}
