import GarlandDiagnostics
import GarlandReports

/// A mistake in the text that describes a report, such as `junit=FILE`. The text is a value of `--report`, or an entry of `run.reports` in
/// a project file.
enum ReportMistake: Error, CustomStringConvertible {
  /// There is no format of this name.
  case unknownFormat(String)
  /// The value of `--report`, or the entry of `run.reports`, names a format but no file.
  case missingFile(ReportFormat)
  /// The text contains a URL, but reports in this format are always written to a file.
  case urlInPlaceOfFile(ReportFormat)
  /// The URL is not the URL of a trace collector.
  case noCollector(url: String)

  /// The message of the diagnostic that reports this mistake.
  var message: String {
    switch self {
    case .unknownFormat(let name): "there is no report `\(name)`"
    case .missingFile: "the file of the report is missing"
    case .urlInPlaceOfFile: "only otlp goes to a URL"
    case .noCollector(let url): "the URL \(ReportURL.shown(url)) is not that of a collector"
    }
  }

  /// The advice of the diagnostic that reports this mistake.
  var help: String {
    switch self {
    case .unknownFormat(let name):
      Suggestion.nearest(to: name, in: ReportFormat.allCases.map(\.rawValue)).map { "did you mean `\($0)=FILE`?" }
        ?? "write \(ReportOption.formats)"
    case .missingFile(let format): "write `\(format.rawValue)=FILE`"
    case .urlInPlaceOfFile(let format): "write `\(format.rawValue)=FILE`, or `\(ReportFormat.otlp.rawValue)=URL`"
    case .noCollector: "write one such as http://localhost:4318"
    }
  }

  /// The message and the advice as a sentence, for an error of the command line.
  var description: String {
    "\(message.prefix(1).uppercased())\(message.dropFirst()): \(help)\(help.hasSuffix("?") ? "" : ".")"
  }
}
