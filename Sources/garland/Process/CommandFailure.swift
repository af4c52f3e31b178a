import GarlandDiagnostics
import GarlandReports
import GarlandWorkflow
import Glibc

/// The reason why a command could not do its work, with the exit status that the page `exit-statuses` of the documentation defines.
struct CommandFailure: Error, CustomStringConvertible {
  let message: String
  let status: Int32
  /// Whether the user can't correct the mistake by changing a file, for example because the mistake is on the command line. If true,
  /// `--watch` ends instead of waiting for a file to change.
  var isFinal = false

  var description: String { message }

  /// Returns the failure of a command that sent no request, because the command line or a document is invalid.
  static func usage(_ message: String) -> CommandFailure { CommandFailure(message: message, status: 2) }
  /// Returns the failure for an invalid command line or environment. No change of a file can correct such a mistake, so `--watch` ends.
  static func commandLine(_ message: String) -> CommandFailure { CommandFailure(message: message, status: 2, isFinal: true) }
  /// Returns the failure for a file that the command line names but that can't be read. If another file has a similar name, the message
  /// suggests that name.
  static func unreadable(_ path: String, _ error: WorkflowFileError) -> CommandFailure {
    let folder = getcwd(nil, 0).map { path in
      defer { free(path) }
      return String(cString: path)
    }
    let near = SystemFiles().nearest(to: path, in: folder ?? "/", kind: .file)
    return usage("cannot read \(path): \(error.message)\(near.map { "; did you mean `\($0)`?" } ?? "")")
  }
  /// Returns the failure for a file of the command line that is not a complete JSON report. The message contains the mistake in the report
  /// and its place.
  ///
  /// - Parameters:
  ///   - path: the path of the file, as the user wrote it.
  ///   - bytes: the content of the file; nil if it is unknown.
  static func noReport(_ path: String, _ bytes: [UInt8]?) -> CommandFailure {
    let foreign = usage("the file `\(path)` is not a report of a run; to make a report, run `garland run … --report json=FILE`")
    guard let bytes else { return foreign }
    do throws(RecordingError) {
      _ = try RunRecording(SourceFile(name: path, bytes: bytes))
      return foreign
    } catch {
      guard !error.isForeign else { return foreign }
      let start = error.isTorn ? error.diagnostic.range?.start : nil
      let place = start.map { ", at line \($0.line), column \($0.column)" } ?? ""
      let help = error.diagnostic.helps.first.map { "; \($0.message)" } ?? ""
      return usage("the file `\(path)` can't be used: \(error.diagnostic.message)\(place)\(help)")
    }
  }
  /// Returns the failure for a local file that could not be read or written.
  static func local(_ message: String) -> CommandFailure { CommandFailure(message: message, status: 4) }
  /// Returns the failure for a standard stream that could not be written.
  static func unwritable(_ descriptor: Int32 = STDOUT_FILENO, errno number: Int32) -> CommandFailure {
    local("standard \(descriptor == STDERR_FILENO ? "error" : "output") cannot be written: \(String(cString: strerror(number)))")
  }
  /// Returns the failure for an error in writing standard output.
  static func unwritable(_ error: OutputError) -> CommandFailure {
    switch error {
    case .closed: unwritable(errno: EPIPE)
    case .failed(let number): unwritable(errno: number)
    }
  }
}
