import Glibc

/// The reason why a report could not be written.
package enum ReportError: Error, Sendable, Hashable {
  /// A file could not be opened, written, or moved to its final path. `reason` is the system's error number.
  case cannotWrite(path: String, reason: Int32)
  /// The path of a report is a directory.
  case isDirectory(path: String)
  /// The body that the user requested could not be shown, because only its first `kept` of `size` bytes were stored.
  case incompleteBody(step: String, kept: Int, size: Int)
  /// The response body that the user asked to print was received, but can't be read back from storage. `reason` is the system's error
  /// number.
  case lostBody(step: String, reason: Int32)
  /// A report could not be sent to its URL.
  case cannotSend(url: String, reason: String)
  /// The summary of a job could not be appended to the file that the CI system names. `reason` is the system's error number.
  case noSummary(path: String, reason: Int32)
  /// The system has no thread left for the reports.
  case noThread(reason: Int32)
}

extension ReportError {
  /// Whether the failure is only a warning that does not change the exit status, because the user did not request the report.
  package var isWarning: Bool { if case .noSummary = self { true } else { false } }
}

extension ReportError: CustomStringConvertible {
  /// The error as a line in lower case, such as `out/report.xml cannot be written: No space left on device`.
  package var description: String {
    switch self {
    case .cannotWrite(let path, let reason):
      "\(path == "-" ? "standard output" : path) cannot be written: \(String(cString: strerror(reason)))"
    case .isDirectory(let path): "\(path) cannot be written: it is a directory"
    case .incompleteBody(let step, let kept, let size):
      "the body of the step `\(step)` is not complete: the first \(Readable.size(kept)) of \(Readable.size(size)) were kept"
    case .lostBody(let step, let reason):
      "the body of the step `\(step)` was received, and then could not be read again: \(String(cString: strerror(reason)))"
    case .cannotSend(let url, let reason): "\(url): the report cannot be sent: \(reason)"
    case .noSummary(let path, let reason): "no job summary: \(path) cannot be written: \(String(cString: strerror(reason)))"
    case .noThread(let reason): "reports cannot be written: no thread can be started: \(String(cString: strerror(reason)))"
    }
  }
}
