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
    let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
    var text = path.hasPrefix("/") ? "file://" : ""
    for byte in path.utf8 {
      if unreserved.contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }
}
