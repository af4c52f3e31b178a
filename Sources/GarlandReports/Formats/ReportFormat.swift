import GarlandDiagnostics

/// The formats of reports, with their names in `--report FORMAT=FILE`. A new format needs a case here and a ``Reporter``.
package enum ReportFormat: String, Sendable, CaseIterable {
  case junit, json, html, markdown, tap, har, openmetrics, otlp
  case codeQuality = "code-quality"

  /// The settings of a report in any format.
  package struct Settings: Sendable {
    /// The redactor that masks secrets in the report.
    package var redactor: Redactor
    /// The name of the program that writes the report.
    package var program: String
    /// The version of the program that writes the report.
    package var version: String
    /// The name of the machine. If nil, the report contains no machine name.
    package var hostname: String?
    /// Whether the report keeps the bodies of steps that passed.
    package var includesAllBodies: Bool

    /// The folder to which the file names in a Code Quality report are relative. Default: file names stay as the user wrote them.
    package var sourceRoot = SourceRoot()

    /// Creates settings from the values of the properties. `sourceRoot` has its default value.
    package init(redactor: Redactor, program: String, version: String, hostname: String?, includesAllBodies: Bool) {
      self.redactor = redactor
      self.program = program
      self.version = version
      self.hostname = hostname
      self.includesAllBodies = includesAllBodies
    }

    /// The program and machine that an OTLP trace names as its source.
    var resource: OTLPResource { OTLPResource(program: program, version: version, hostname: hostname) }
    /// The name and version of the program, such as `garland 1.0`.
    var generator: String { "\(program) \(version)" }
  }

  /// The conventional name of a report file in this format, such as `report.xml`.
  package var fileName: String {
    switch self {
    case .junit: "report.xml"
    case .json: "report.json"
    case .html: "report.html"
    case .markdown: "report.md"
    case .tap: "report.tap"
    case .har: "report.har"
    case .openmetrics: "garland.prom"
    case .otlp: "trace.jsonl"
    case .codeQuality: "quality.json"
    }
  }

  /// Whether, by default, a report in this format keeps the bodies of steps that passed.
  package var keepsAllBodies: Bool {
    switch self {
    case .html, .har: true
    case .junit, .json, .markdown, .tap, .openmetrics, .otlp, .codeQuality: false
    }
  }

  /// Returns a reporter for this format.
  ///
  /// - Parameters:
  ///   - path: the path of the report; `-` is standard output.
  ///   - settings: the settings of the report.
  /// - Throws: an error if the file can't be written, before the run sends anything.
  package func reporter(writingTo path: String, _ settings: Settings) throws(ReportError) -> sending any Reporter {
    let (redactor, hostname, includesAllBodies) = (settings.redactor, settings.hostname, settings.includesAllBodies)
    switch self {
    case .junit: return try JUnitReporter(path: path, redactor: redactor, hostname: hostname ?? "")
    case .json:
      return try JSONReporter(
        path: path, redactor: redactor, generator: settings.generator, hostname: hostname, includesAllBodies: includesAllBodies)
    case .html:
      return try HTMLReporter(
        path: path, redactor: redactor, generator: settings.generator, hostname: hostname, includesAllBodies: includesAllBodies)
    case .markdown: return try MarkdownReporter(path: path, redactor: redactor, hostname: hostname)
    case .tap: return try TAPReporter(path: path, redactor: redactor)
    case .har:
      return try HARReporter(
        path: path, redactor: redactor, program: settings.program, version: settings.version, includesAllBodies: includesAllBodies)
    case .openmetrics: return try OpenMetricsReporter(path: path, redactor: redactor)
    case .codeQuality: return try CodeQualityReporter(path: path, redactor: redactor, root: settings.sourceRoot)
    case .otlp: return try OTLPReporter(path: path, redactor: redactor, resource: settings.resource)
    }
  }
}
