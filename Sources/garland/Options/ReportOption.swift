import ArgumentParser
import GarlandDiagnostics
import GarlandReports
import GarlandTransfer

/// A report that the command line requests, such as `--report junit=FILE`.
struct ReportOption {
  /// The values that `--report` accepts, as text for messages, such as `junit=FILE, json=FILE or html=FILE`.
  static let formats: String = {
    let all = ReportFormat.allCases.map { "\($0.rawValue)=FILE\($0 == .otlp ? "|URL" : "")" }
    return all.dropLast().joined(separator: ", ") + " or " + all.suffix(1).joined()
  }()

  /// The end of the explanation of `--report`, which several commands have: the values that the option accepts.
  static let values = "\(formats); `-` is standard output. May be repeated."

  /// Returns the explanation of `--report`. `purpose` is its beginning, such as `A report`.
  static func help(_ purpose: String) -> ArgumentHelp { ArgumentHelp("\(purpose): \(values)", valueName: "format=file") }

  let format: ReportFormat
  let path: String
  /// The upload of a trace to a collector; nil for a report to a file.
  let upload: TraceUpload?

  init(parsing argument: String) throws(ReportMistake) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let format = ReportFormat(rawValue: parts[0]) else { throw .unknownFormat(parts[0]) }
    guard parts.count == 2, !parts[1].isEmpty else { throw .missingFile(format) }
    self.format = format
    path = parts[1]
    guard let scheme = path.prefixMatch(of: /([A-Za-z][A-Za-z0-9+.-]*):\/\//)?.1.lowercased() else {
      upload = nil
      return
    }
    guard format == .otlp else { throw .urlInPlaceOfFile(format) }
    guard ["http", "https"].contains(scheme), let host = (try? URLReference(path))?.host, !host.isEmpty else {
      throw .noCollector(url: path)
    }
    upload = TraceUpload(url: path)
  }

  /// Whether the report goes to standard output.
  var isStandardOutput: Bool { path == "-" }

  /// Returns the reporter that writes the report.
  func reporter(_ redactor: Redactor, hostname: String?, includesAllBodies: Bool) throws(ReportError) -> sending any Reporter {
    let (program, version) = ("garland", GarlandVersion.text)
    if let upload {
      return try OTLPReporter(
        to: upload, redactor: redactor, resource: OTLPResource(program: program, version: version, hostname: hostname))
    }
    var settings = ReportFormat.Settings(
      redactor: redactor, program: program, version: version, hostname: hostname, includesAllBodies: includesAllBodies)
    if format == .codeQuality { settings.sourceRoot = SourceRoot(environment: ProcessEnvironment.current) }
    return try format.reporter(writingTo: path, settings)
  }
}

/// Whether the reports contain the bodies of all steps, or only of the steps that did not pass.
enum ReportBodies: String, CaseIterable, ExpressibleByArgument {
  /// The reports contain the bodies of steps that did not pass.
  case failed
  /// The reports contain the bodies of all steps.
  case all
}
