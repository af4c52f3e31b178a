import Glibc

/// The user's browser: the program in the variable `BROWSER`, or else the browser of the desktop.
struct Browser: Sendable {
  private let commands: [[String]]

  /// Determines the programs that can show a page, from the environment variables `BROWSER`, `DISPLAY` and `WAYLAND_DISPLAY`.
  init(environment: [String: String]) {
    if let named = environment["BROWSER"], !named.isEmpty {
      commands = named.split(separator: ":").map { $0.split(separator: " ").map(String.init) }
    } else if !(environment["DISPLAY"] ?? "").isEmpty || !(environment["WAYLAND_DISPLAY"] ?? "").isEmpty {
      commands = [["xdg-open"]]
    } else {
      commands = []
    }
  }

  /// Opens a page. Returns whether a program that shows the page has started.
  func open(_ url: String) -> Bool {
    // Only these URLs are pages. Other text could be mistaken for an option of the program.
    guard url.hasPrefix("http://") || url.hasPrefix("https://") else { return false }
    return commands.contains { Self.start($0.contains { $0.contains("%s") } ? $0.map { $0.replacing("%s", with: url) } : $0 + [url]) }
  }

  /// Starts a program in the background and discards its output. Returns whether the program could be started.
  private static func start(_ words: [String]) -> Bool {
    guard let program = words.first else { return false }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    for output in [STDOUT_FILENO, STDERR_FILENO] { posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0) }
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child = pid_t()
    return DescriptorLimit.asInherited { posix_spawnp(&child, program, &actions, nil, arguments, environ) } == 0
  }
}
