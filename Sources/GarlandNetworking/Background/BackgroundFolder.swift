import GarlandText
import Glibc

/// The folder in which background sessions keep their journals.
enum BackgroundFolder {
  /// Returns the path of the folder of the session with the given identifier.
  ///
  /// The session's folder has the identifier as its name. Its parent folder is `base`, or, if `base` is nil,
  /// `$XDG_STATE_HOME/garland/background`. Without that variable, its parent folder is `~/.local/state/garland/background`.
  static func path(for identifier: String, in base: String?) throws(NetworkingError) -> String {
    guard let name = name(for: identifier) else {
      throw NetworkingError(.background(.unusable("an identifier has 1 to 100 bytes, and is not `.` or `..`")))
    }
    if let base { return absolute(base) + "/" + name }
    func variable(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
    }
    if let state = variable("XDG_STATE_HOME") { return state + "/garland/background/" + name }
    guard let home = variable("HOME") else {
      throw NetworkingError(.background(.unusable("neither XDG_STATE_HOME nor HOME names a folder, and none was given")))
    }
    return home + "/.local/state/garland/background/" + name
  }

  /// Returns an identifier as a folder name; nil if the identifier is invalid. Every character except letters, digits, `.`, `-` and `_` is
  /// percent-encoded.
  static func name(for identifier: String) -> String? {
    guard (1...100).contains(identifier.utf8.count), identifier != ".", identifier != ".." else { return nil }
    return PercentEncoding.encode(identifier, keeping: PercentEncoding.fileName)
  }

  /// Returns `path` as an absolute path, so that it stays valid if the working directory changes.
  static func absolute(_ path: String) -> String {
    if path.utf8.first == UInt8(ascii: "/") { return path }
    guard let current = getcwd(nil, 0) else { return path }
    defer { free(current) }
    return String(cString: current) + "/" + path
  }
}
