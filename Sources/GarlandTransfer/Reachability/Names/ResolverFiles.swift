import Glibc

/// The parts of the system resolver's configuration, resolv.conf(5) and hosts(5), that error messages need.
struct ResolverFiles: Sendable {
  var hostsPath = "/etc/hosts"
  var configurationPath = "/etc/resolv.conf"

  /// The nameservers: at most three, which is the limit of the C library (`MAXNS`).
  var nameservers: [String] { Self.nameservers(in: Self.read(configurationPath)) }

  /// Whether the hosts file contains the name.
  func isInHosts(_ name: String) -> Bool { Self.hosts(Self.read(hostsPath), contain: name) }

  /// Returns the name that the system's resolver sends in its first query: `name` or, if `name` has few dots, `name` with the first search
  /// domain.
  func qualified(_ name: String) -> String { Self.qualified(name, by: Self.read(configurationPath)) }

  static func nameservers(in text: String) -> [String] {
    let named = lines(of: text).compactMap { words in words.count > 1 && words[0] == "nameserver" ? String(words[1]) : nil }
    // Without any nameserver, the C library asks this machine.
    return named.isEmpty ? ["127.0.0.1"] : Array(named.prefix(3))
  }

  static func hosts(_ text: String, contain name: String) -> Bool {
    let name = name.lowercased()
    return lines(of: text).contains { words in words.dropFirst().contains { $0.lowercased() == name } }
  }

  static func qualified(_ name: String, by text: String) -> String {
    var dots = 1
    var search: [Substring] = []
    for words in lines(of: text) {
      switch words.first {
      case "search", "domain": search = Array(words.dropFirst())
      case "options":
        for option in words.dropFirst() where option.hasPrefix("ndots:") { dots = Int(option.dropFirst(6)) ?? dots }
      default: continue
      }
    }
    guard let domain = search.first, !name.hasSuffix("."), name.utf8.count(where: { $0 == UInt8(ascii: ".") }) < dots else { return name }
    return "\(name).\(domain)"
  }

  /// Returns the words of each line. Comments are removed.
  private static func lines(of text: String) -> [[Substring]] {
    text.split(whereSeparator: \.isNewline).map { line in
      line.prefix { $0 != "#" && $0 != ";" }.split { $0 == " " || $0 == "\t" }
    }.filter { !$0.isEmpty }
  }

  /// Reads a small file. Returns an empty text if the file cannot be read.
  private static func read(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while bytes.count < 1 << 20 {
      let piece = [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, count in
        count = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
      }
      if piece.isEmpty { break }
      bytes += piece
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
