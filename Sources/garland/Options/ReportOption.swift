import ArgumentParser
import GarlandDiagnostics

/// `--report junit=FILE`.
struct ReportOption {
  enum Kind: String, CaseIterable {
    case junit, json, html
    case codeQuality = "code-quality"
  }

  /// `junit=FILE, json=FILE or html=FILE`.
  static let kinds =
    Kind.allCases.dropLast().map { "\($0.rawValue)=FILE" }.joined(separator: ", ")
    + " or \(Kind.allCases[Kind.allCases.count - 1].rawValue)=FILE"

  let kind: Kind
  let path: String

  init(parsing argument: String) throws {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let kind = Kind(rawValue: parts[0]) else {
      let near = Suggestion.nearest(to: parts[0], in: Kind.allCases.map(\.rawValue))
      throw ValidationError(
        "There is no report `\(parts[0])`: \(near.map { "did you mean `\($0)=FILE`?" } ?? "write \(Self.kinds).")")
    }
    guard parts.count == 2, !parts[1].isEmpty else { throw ValidationError("Where to? Write \(kind.rawValue)=FILE.") }
    self.kind = kind
    path = parts[1]
  }

  /// Whether it goes to standard output.
  var isStandardOutput: Bool { path == "-" }
}

/// Which bodies the reports of a run keep.
enum ReportBodies: String, CaseIterable, ExpressibleByArgument {
  /// Those of steps that did not pass.
  case failed
  /// Those of all steps.
  case all
}
