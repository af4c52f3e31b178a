import GarlandDiagnostics
import GarlandResults

/// A CI system that interprets commands in the log of a job, such as annotations of lines in files.
package enum JobLog: Sendable, Hashable, CaseIterable {
  /// The log of a job of GitHub Actions.
  case github
  /// The log of a job of Azure Pipelines.
  case azure
  /// The log of a job of TeamCity.
  case teamCity

  /// Detects the CI system in which the program runs, by the environment variable that the system sets. Returns nil if the program runs in
  /// none of the supported CI systems.
  package init?(environment: [String: String]) {
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

  /// The name and the value of the environment variable that identifies the CI system. An empty `value` stands for any value of the
  /// variable.
  package var variable: (name: String, value: String) {
    switch self {
    case .github: ("GITHUB_ACTIONS", "true")
    case .azure: ("TF_BUILD", "True")
    case .teamCity: ("TEAMCITY_VERSION", "")
    }
  }

  /// Changes a line from a server so that the CI system finds no command in it, and returns the line.
  func harmless(_ line: String) -> String {
    switch self {
    case .github: GitHubActions.harmless(line)
    case .azure: Self.breaking(["##vso[", "##["], in: line)
    case .teamCity: Self.breaking(["##teamcity["], in: line)
    }
  }

  /// Changes text from a server so that the CI system finds no command in it, and returns the changed text. The text must be a part of a
  /// line, not the start of a line.
  package func harmless(_ text: StyledText) -> StyledText {
    text.spans.reduce(into: StyledText()) { $0.append(harmless($1.text), $1.style) }
  }

  /// Whether a job of the CI system can temporarily stop the interpretation of commands in its log. If false, Garland changes each text in
  /// a printed body that the CI system could interpret as a command.
  package var canPause: Bool { self == .github }

  /// Returns the bytes with a space inserted into each `##`. The result contains no CI command in the middle of a line, since such a
  /// command begins with `##`.
  ///
  /// - Parameters:
  ///   - bytes: a piece of an output.
  ///   - last: before the call, the last byte before the piece; after the call, the last byte of the piece.
  package static func breakingCommands(in bytes: [UInt8], after last: inout UInt8?) -> [UInt8] {
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

  /// Returns the line that makes the CI system show an annotation.
  func command(_ annotation: Annotation) -> String {
    switch self {
    case .github: GitHubActions.command(annotation)
    case .azure: AzurePipelines.command(annotation)
    case .teamCity: TeamCity.command(annotation)
    }
  }

  /// Returns the lines that make the CI system show the mistakes in workflow files. Masks the secrets in the lines.
  ///
  /// - Parameters:
  ///   - diagnostics: the mistakes.
  ///   - redactor: masks the secrets.
  ///   - root: the folder to which file names in the lines are relative.
  package func lines(for diagnostics: [Diagnostic], redactor: Redactor, root: SourceRoot = SourceRoot()) -> [String] {
    let mask = Mask(redactor)
    let annotations = DiagnosticRenderer.sorted(diagnostics).map { Annotation($0, mask: mask, root: root) }
    let types = self == .teamCity ? TeamCity.inspectionTypes(for: annotations) : []
    return types + annotations.map(command)
  }
}

/// A message that a CI system shows at a location of a file. The texts of an annotation contain no secrets.
struct Annotation {
  enum Level {
    case error, warning
  }

  enum Origin {
    /// A diagnostic about a document, with the diagnostic's code.
    case document(code: String)
    /// A failed step. The annotation's title is the name of the step.
    case step
  }

  let level: Level
  let origin: Origin
  /// The heading of the annotation, in a few words.
  let title: String
  let message: String
  /// The file with line and column, or nil if the annotation belongs to no file.
  let place: (file: String, line: Int, column: Int)?

  init(_ diagnostic: Diagnostic, mask: Mask, root: SourceRoot) {
    level = diagnostic.severity == .error ? .error : .warning
    origin = .document(code: diagnostic.code.rawValue)
    title = diagnostic.code.rawValue
    let helps = diagnostic.helps.map { "\nhelp: \($0.message)" }.joined()
    message = mask.lines(diagnostic.message + helps).joined(separator: "\n")
    place = diagnostic.range.flatMap { Self.place($0, mask, root) }
  }

  /// Creates an annotation at the location of a failure. If there is no failure, or if its location is unknown, the annotation is at the
  /// location of the step.
  init(_ failure: CheckFailure?, of result: StepResult, label: StepLabel, mask: Mask, root: SourceRoot) {
    level = result.isFailureAllowed ? .warning : .error
    origin = .step
    title = label.name(result.step, iteration: result.iteration)
    message = failure.map { StepLabel.sentence($0, mask: mask) } ?? result.reason.map(mask.line) ?? result.outcome.rawValue
    place = Self.place(failure?.range ?? result.step.range, mask, root)
  }

  /// Returns the annotations of a result: an annotation for each failure, or a single annotation for a result without failures.
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

/// The logging commands that the agent of Azure Pipelines finds in a job's output.
///
/// See [Logging commands](https://learn.microsoft.com/en-us/azure/devops/pipelines/scripts/logging-commands).
enum AzurePipelines {
  private static let data = Escapes(["%": "%AZP25", "\r": "%0D", "\n": "%0A"])
  private static let property = data.and([";": "%3B", "]": "%5D"])

  /// Returns the command for an annotation, such as
  /// `##vso[task.logissue type=error;sourcepath=a.yaml;linenumber=5;columnnumber=5;code=unknown-key;]message`.
  static func command(_ annotation: Annotation) -> String {
    var text = "##vso[task.logissue type=\(annotation.level == .error ? "error" : "warning");"
    if let place = annotation.place {
      text += "sourcepath=\(property(place.file));linenumber=\(place.line);columnnumber=\(place.column);"
    }
    var message = annotation.message
    switch annotation.origin {
    case .document(let code): text += "code=\(property(code));"
    case .step: message = "\(annotation.title): \(message)"
    }
    // The agent reads the first command of a line. Whether it reads further commands is not documented.
    return text + "]" + data(JobLog.azure.harmless(message))
  }
}
