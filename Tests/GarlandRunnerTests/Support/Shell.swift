import TestSupport

/// A command line for `/bin/sh`, whose output is ignored.
enum Shell {
  /// The exit status.
  static func run(_ command: String, environment: [String: String] = [:], in folder: String) async -> Int32 {
    (try? await ChildProcess.run("/bin/sh", ["-c", command], environment: environment, in: folder).status) ?? -1
  }
}
