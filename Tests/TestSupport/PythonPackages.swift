/// Python with the packages that `Tests/Providers/requirements.txt` lists, which are installed when one is missing.
public enum PythonPackages {
  /// The path of the interpreter.
  public static func interpreter() throws -> String {
    let result = try ChildProcess.runBlocking("/bin/bash", [Repository.path(".ci/providers")])
    guard result.status == 0 else { throw ServerProcess.StartError(description: ".ci/providers: \(result.error)") }
    return Repository.path(".build/providers/bin/python")
  }

  /// Returns what a reader of other people finds in a report, as JSON: `Tests/Providers/read_report.py` says what for each format.
  ///
  /// - Parameters:
  ///   - format: the name of the format.
  ///   - path: the report.
  public static func read(_ format: String, _ path: String) throws -> String {
    let result = try ChildProcess.runBlocking(interpreter(), [Repository.path("Tests/Providers/read_report.py"), format, path])
    guard result.status == 0 else { throw ServerProcess.StartError(description: "\(format): \(result.error)") }
    return result.output
  }
}
