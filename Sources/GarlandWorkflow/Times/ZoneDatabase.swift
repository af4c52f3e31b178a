import GarlandDiagnostics
import GarlandText
import Synchronization

/// The time zones of the machine by name, such as `Europe/Berlin`, from the files of the package `tzdata`.
final class ZoneDatabase: Sendable {
  /// The error for a name that is not the name of a time zone.
  struct Mistake: Error {
    var message: String
    var help: String?
    /// The name of a time zone that is similar to the unknown name; nil if there is none.
    var near: String?
  }

  /// The time zones of this machine.
  static let system = ZoneDatabase(folder: "/usr/share/zoneinfo")

  private let folder: String
  private let files = SystemFiles()
  /// A cache of the time zones that have been read. It is never emptied, since there are only about 600 zones.
  private let known = Mutex<[String: ZoneRules]>([:])

  init(folder: String) { self.folder = folder }

  /// Returns the rules of the time zone with the given name.
  func rules(of name: String) throws(Mistake) -> ZoneRules {
    if let rules = known.withLock({ $0[name] }) { return rules }
    guard let bytes = bytes(of: name) else { throw mistake(with: name) }
    guard let rules = ZoneRules(tzif: bytes) else {
      throw Mistake(message: "the time zone `\(Words.excerpt(name))` can't be used: \(folder)/\(name) is broken")
    }
    known.withLock { $0[name] = rules }
    return rules
  }

  private func bytes(of name: String) -> [UInt8]? {
    // The name of a zone must not select a file outside of the folder.
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isPartOfName) }),
      let bytes = try? files.read("\(folder)/\(name)", limit: 1 << 20), bytes.starts(with: "TZif".utf8)
    else { return nil }
    return bytes
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
  }

  private func mistake(with name: String) -> Mistake {
    let names = names()
    guard !names.isEmpty else {
      return Mistake(
        message: "there are no time zones at \(folder)", help: "install the package `tzdata`, or give the zone as part of the time")
    }
    func city(_ name: String) -> Substring { name.split(separator: "/").last ?? "" }
    let wanted = name.split(separator: " ").joined(separator: "_").lowercased()
    // Suggests, for example, `Europe/Berlin` for `berlin`.
    let near =
      names.first { $0.lowercased() == wanted } ?? names.first { city($0).lowercased() == wanted }
      ?? Suggestion.nearest(to: name, in: names)
    return Mistake(
      message: "there is no time zone `\(Words.excerpt(name))`",
      help: near.map { "did you mean `\($0)`?" } ?? "time zones have names such as `Europe/Berlin` and `UTC`", near: near)
  }

  private func names() -> [String] {
    var names: [String] = []
    var folders = [""]
    while let prefix = folders.popLast() {
      for name in files.names(in: "\(folder)/\(prefix)") where !name.contains(".") {
        // The folders `posix` and `right` contain the same zones again, and `localtime` and `leapseconds` are not zones. The names of zones
        // begin with a capital.
        if prefix.isEmpty, name.first?.isUppercase != true { continue }
        switch files.kind(of: "\(folder)/\(prefix)\(name)") {
        case .folder: if prefix.split(separator: "/").count < 2 { folders.append("\(prefix)\(name)/") }
        case .file: names.append(prefix + name)
        case .missing, .unreadable: break
        }
      }
    }
    return names.sorted()
  }
}
