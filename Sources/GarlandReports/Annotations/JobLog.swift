public import GarlandDiagnostics
import GarlandResults

/// The log of a CI system that reads commands in the output of a job, such as annotations at places
/// of files.
public enum JobLog: Sendable, Hashable, CaseIterable {
  /// GitHub Actions.
  case github
  /// Azure Pipelines.
  case azure
  /// TeamCity.
  case teamCity

  /// The system that the environment says to be of, by the variable that the system sets; nil outside of any.
  public init?(environment: [String: String]) {
    if environment["GITHUB_ACTIONS"] == "true" {
      self = .github
    } else if environment["TF_BUILD"]?.lowercased() == "true" {
      self = .azure
    } else if !(environment["TEAMCITY_VERSION"] ?? "").isEmpty {
      self = .teamCity
    } else {
      return nil
    }
  }

  /// The variable that the system sets, with its value; an empty value stands for any.
  public var variable: (name: String, value: String) {
    switch self {
    case .github: ("GITHUB_ACTIONS", "true")
    case .azure: ("TF_BUILD", "True")
    case .teamCity: ("TEAMCITY_VERSION", "")
    }
  }

  /// Returns text of a server in which the system finds no command.
  func harmless(_ line: String) -> String {
    switch self {
    case .github: GitHubActions.harmless(line)
    case .azure: Self.breaking(["##vso[", "##["], in: line)
    case .teamCity: Self.breaking(["##teamcity["], in: line)
    }
  }

  /// Returns text of a server, in the middle of a line, in which the system finds no command.
  public func harmless(_ text: StyledText) -> StyledText {
    text.spans.reduce(into: StyledText()) { $0.append(harmless($1.text), $1.style) }
  }

  /// Whether the system has a command that makes it ignore commands for a while. Where it has none,
  /// commands in the text are broken.
  public var canPause: Bool { self == .github }

  /// The bytes with a space in each `##`, with which commands begin that can stand anywhere in a line.
  ///
  /// - Parameters:
  ///   - bytes: a piece of an output.
  ///   - last: the last byte before the piece, and then of it.
  public static func breakingCommands(in bytes: [UInt8], after last: inout UInt8?) -> [UInt8] {
    let mark = UInt8(ascii: "#")
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes {
      if byte == mark, last == mark { result.append(UInt8(ascii: " ")) }
      result.append(byte)
      last = byte
    }
    return result
  }

  private static func breaking(_ beginnings: [String], in line: String) -> String {
    beginnings.reduce(line) { line, beginning in
      guard line.contains(beginning) else { return line }
      return line.split(separator: beginning, omittingEmptySubsequences: false).joined(separator: "# #\(beginning.dropFirst(2))")
    }
  }

  /// The command that shows an annotation in the system.
  func command(_ annotation: Annotation) -> String {
    switch self {
    case .github: GitHubActions.command(annotation)
    case .azure: AzurePipelines.command(annotation)
    case .teamCity: TeamCity.command(annotation)
    }
  }

  /// Returns the lines that show mistakes of documents in the system; secrets are masked.
  ///
  /// - Parameters:
  ///   - diagnostics: the mistakes.
  ///   - redactor: knows the secrets.
  ///   - root: the folder that the system names files from.
  public func lines(for diagnostics: [Diagnostic], redactor: Redactor, root: SourceRoot = SourceRoot()) -> [String] {
    let mask = Mask(redactor)
    let annotations = DiagnosticRenderer.sorted(diagnostics).map { Annotation($0, mask: mask, root: root) }
    let types = self == .teamCity ? TeamCity.inspectionTypes(for: annotations) : []
    return types + annotations.map(command)
  }
}

/// The text of an annotation, and its place. Secrets are masked already.
struct Annotation {
  enum Level {
    case error, warning
  }

  enum Origin {
    /// Something in a document, by its code.
    case document(code: String)
    /// A step that failed, by its name.
    case step
  }

  let level: Level
  let origin: Origin
  /// A heading of a few words.
  let title: String
  let message: String
  /// The file with line and column; nil where there is no file.
  let place: (file: String, line: Int, column: Int)?

  init(_ diagnostic: Diagnostic, mask: Mask, root: SourceRoot) {
    level = diagnostic.severity == .error ? .error : .warning
    origin = .document(code: diagnostic.code.rawValue)
    title = diagnostic.code.rawValue
    let helps = diagnostic.helps.map { "\nhelp: \($0.message)" }.joined()
    message = mask.lines(diagnostic.message + helps).joined(separator: "\n")
    place = diagnostic.range.flatMap { Self.place($0, mask, root) }
  }

  /// A failure of a step, at its place or at its step's.
  init(_ failure: CheckFailure?, of result: StepResult, label: StepLabel, mask: Mask, root: SourceRoot) {
    level = result.isFailureAllowed ? .warning : .error
    origin = .step
    title = label.name(result.step, iteration: result.iteration)
    message = failure.map { StepLabel.sentence($0, mask: mask) } ?? result.reason.map(mask.line) ?? result.outcome.rawValue
    place = Self.place(failure?.range ?? result.step.range, mask, root)
  }

  /// The annotations of a result: one for each failure, or one for a step without any.
  static func all(of result: StepResult, label: StepLabel, mask: Mask, root: SourceRoot) -> [Annotation] {
    guard !result.failures.isEmpty else { return [Annotation(nil, of: result, label: label, mask: mask, root: root)] }
    return result.failures.map { Annotation($0, of: result, label: label, mask: mask, root: root) }
  }

  private static func place(_ range: SourceRange, _ mask: Mask, _ root: SourceRoot) -> (file: String, line: Int, column: Int)? {
    guard let path = root.path(of: range.file.name) else { return nil }
    let start = range.start
    return (mask.line(path), start.line, start.column)
  }
}
