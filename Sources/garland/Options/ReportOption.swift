import ArgumentParser

/// `--report junit=FILE`.
struct ReportOption: ExpressibleByArgument {
  enum Kind: String, CaseIterable {
    case junit, json
  }

  let kind: Kind
  let path: String

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), let kind = Kind(rawValue: String(argument[..<equals])) else { return nil }
    let path = argument[argument.index(after: equals)...]
    guard !path.isEmpty else { return nil }
    self.kind = kind
    self.path = String(path)
  }

  /// Whether it goes to standard output.
  var isStandardOutput: Bool { path == "-" }
}
