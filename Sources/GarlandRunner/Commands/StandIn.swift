/// What stands for a secret that is not set, so that its place in the request can be found.
enum StandIn {
  /// What may be given to them, one assignment after the other until the request can be made.
  static func assignments(for names: [String]) -> [[String: String]] {
    guard !names.isEmpty else { return [[:]] }
    func all(_ value: (String) -> String) -> [String: String] {
      names.reduce(into: [:]) { $0[$1] = value($1) }
    }
    var assignments = [all(telling)]
    for name in names {
      var assignment = all(telling)
      assignment[name] = address(name)
      assignments.append(assignment)
    }
    return assignments + [all(address), all(plain)]
  }

  /// Every encoding makes something else of it, so that it tells how its place encodes.
  static func telling(_ name: String) -> String { "\(plain(name)) /?\"&<~*" }

  /// Where only a URL will do.
  private static func address(_ name: String) -> String { "http://\(plain(name)).invalid/x" }

  /// Nothing changes it, not even where only a host will do.
  private static func plain(_ name: String) -> String {
    "garland-stand-in-for-" + String(name.lowercased().map { $0 == "_" ? "-" : $0 })
  }
}
