import TestSupport

/// Runs command lines with `/bin/sh`, and ignores their output.
enum Shell {
  /// Runs a command line and returns its exit status.
  static func run(_ command: String, environment: [String: String] = [:], in folder: String) async -> Int32 {
    (try? await ChildProcess.run("/bin/sh", ["-c", command], environment: environment, in: folder).status) ?? -1
  }
}
