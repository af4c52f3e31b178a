import Dispatch
import Glibc

/// A command line given to `/bin/sh`, whose output nobody looks at.
enum Shell {
  /// The exit status; -1 if no shell could be started.
  static func run(_ command: String, environment: [String: String] = [:], in folder: String) async -> Int32 {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: spawn(command, environment, folder)) }
    }
  }

  private static func spawn(_ command: String, _ environment: [String: String], _ folder: String) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    var variables: [UnsafeMutablePointer<CChar>?] = [strdup("PATH=" + path), strdup("FOLDER=" + folder)]
    for (name, value) in environment { variables.append(strdup(name + "=" + value)) }
    variables.append(nil)
    let words: [String] = ["/bin/sh", "-c", "cd \"$FOLDER\" && " + command]
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for text in variables + arguments { free(text) } }
    var child = pid_t()
    guard posix_spawn(&child, "/bin/sh", &actions, nil, arguments, variables) == 0 else { return -1 }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 { if errno != EINTR { return -1 } }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }
}
