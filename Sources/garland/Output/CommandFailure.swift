import ArgumentParser
import Glibc

/// Why a command ends without having done its work, with the exit status that the language page fixes.
struct CommandFailure: Error, CustomStringConvertible {
  let message: String
  let status: Int32

  var description: String { message }

  /// The command line or a document is wrong; nothing was sent.
  static func usage(_ message: String) -> CommandFailure { CommandFailure(message: message, status: 2) }
  /// A local file could not be read or written.
  static func local(_ message: String) -> CommandFailure { CommandFailure(message: message, status: 4) }
}
