/// Programs in a network of their own: links, routes and files such as /etc/hosts are theirs alone, and they may change them.
public enum NetworkNamespace {
  /// The command line that runs a program so: as root where that is allowed, else as the root of a namespace of users.
  public static func command(_ path: String, _ arguments: [String]) -> (path: String, arguments: [String]) {
    let script = """
      if unshare --net --mount true 2>/dev/null; then exec unshare --net --mount "$@"; fi
      exec unshare --map-root-user --net --mount "$@"
      """
    return ("/bin/sh", ["-c", script, "sh", path] + arguments)
  }

  /// Runs a program to its end.
  public static func run(_ path: String, _ arguments: [String], environment: [String: String?] = [:]) async throws -> ChildProcess.Result {
    let (shell, words) = command(path, arguments)
    return try await ChildProcess.run(shell, words, environment: environment)
  }
}
