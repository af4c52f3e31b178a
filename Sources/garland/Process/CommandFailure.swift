import ArgumentParser
import GarlandDiagnostics
import GarlandWorkflow
import Glibc

/// Why a command ends without having done its work, with the exit status that the language page fixes.
struct CommandFailure: Error, CustomStringConvertible {
  let message: String
  let status: Int32

  var description: String { message }

  /// The command line or a document is wrong; nothing was sent.
  static func usage(_ message: String) -> CommandFailure { CommandFailure(message: message, status: 2) }
  /// Returns the failure for an unreadable file of the command line, with the probably intended
  /// name.
  static func unreadable(_ path: String, _ error: WorkflowFileError) -> CommandFailure {
    let folder = getcwd(nil, 0).map { path in
      defer { free(path) }
      return String(cString: path)
    }
    let near = SystemFiles().nearest(to: path, in: folder ?? "/", kind: .file)
    return usage("cannot read \(path): \(error.message)\(near.map { "; did you mean `\($0)`?" } ?? "")")
  }
  /// A local file could not be read or written.
  static func local(_ message: String) -> CommandFailure { CommandFailure(message: message, status: 4) }
  /// A standard stream could not be written.
  static func unwritable(_ descriptor: Int32 = STDOUT_FILENO, errno number: Int32) -> CommandFailure {
    local("standard \(descriptor == STDERR_FILENO ? "error" : "output") cannot be written: \(String(cString: strerror(number)))")
  }
  /// Standard output could not be written.
  static func unwritable(_ error: OutputError) -> CommandFailure {
    switch error {
    case .closed: unwritable(errno: EPIPE)
    case .failed(let number): unwritable(errno: number)
    }
  }
}
