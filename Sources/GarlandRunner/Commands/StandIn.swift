/// What stands for a secret that is not set, so that its place in the request can be found.
enum StandIn {
  /// What each of them begins with.
  static let beginning = "garland-stand-in-for-"

  /// What may be given to secrets.
  struct Assignment {
    /// By their names.
    var values: [String: String]
    /// What the URL has to begin with, or another assignment is the right one.
    var start: String?
  }

  /// One assignment after the other, until the request can be made and each of them is found in it.
  static func assignments(for names: [String]) -> [Assignment] {
    guard !names.isEmpty else { return [Assignment(values: [:])] }
    func all(_ value: (String) -> String) -> [String: String] {
      names.reduce(into: [:]) { $0[$1] = value($1) }
    }
    // One with which the URL begins is a URL itself.
    let addresses = names.map { name in
      var values = all(telling)
      values[name] = address(name)
      return Assignment(values: values, start: address(name))
    }
    return addresses + [Assignment(values: all(telling)), Assignment(values: all(plain))]
  }

  /// Every encoding makes something else of it, so that it tells how its place encodes.
  static func telling(_ name: String) -> String { "\(plain(name)) /?\"&<~*" }

  /// Where only a URL will do.
  private static func address(_ name: String) -> String { "http://\(plain(name)).invalid/x" }

  /// Nothing changes it, not even where only a host will do.
  private static func plain(_ name: String) -> String {
    beginning + String(name.lowercased().map { $0 == "_" ? "-" : $0 })
  }
}
