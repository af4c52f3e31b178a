import Glibc

/// The log of a job of GitHub Actions, in which the runner looks for commands such as `::add-mask::` at the beginning of lines.
enum ActionsLog {
  /// What to print to have commands read again, if standard output leads to the log: a server's words must not be taken for commands. Nil if it leads
  /// elsewhere: to a shell that captures it (`ID=$(garland …)`), another program, or a file, where two lines more would be wrong.
  static func commandPause(_ environment: [String: String]) -> String? {
    guard environment[variable] == "true", isStandardOutput() else { return nil }
    return "garland-" + String(UInt64.random(in: .min ... .max), radix: 16) + String(UInt64.random(in: .min ... .max), radix: 16)
  }

  private static let variable = "GITHUB_ACTIONS"

  /// The runner gives each command of a job a pipe, which all that it starts inherits. Only if some program between the two has another standard output was
  /// ours redirected.
  private static func isStandardOutput() -> Bool {
    guard let own = place("/proc/self/fd/1"), own.isPipe else { return false }
    var process = getppid()
    while process > 1, belongsToJob(process) {
      if let other = place("/proc/\(process)/fd/1"), other.device != own.device || other.inode != own.inode { return false }
      guard let parent = parent(of: process) else { break }
      process = parent
    }
    return true
  }

  private static func place(_ path: String) -> (device: dev_t, inode: ino_t, isPipe: Bool)? {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    return (facts.st_dev, facts.st_ino, [S_IFIFO, S_IFSOCK].contains(facts.st_mode & S_IFMT))
  }

  private static func belongsToJob(_ process: pid_t) -> Bool {
    contents("/proc/\(process)/environ").split(separator: 0).contains { $0.elementsEqual("\(variable)=true".utf8) }
  }

  /// The fourth word of proc_pid_stat(5); the second is a name in brackets, which may have any character.
  private static func parent(of process: pid_t) -> pid_t? {
    let text = contents("/proc/\(process)/stat")
    guard let bracket = text.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let words = text[(bracket + 1)...].split(separator: UInt8(ascii: " "))
    return words.count > 1 ? pid_t(String(decoding: words[1], as: UTF8.self)) : nil
  }

  /// What a file of `/proc` says, which tells no size; empty if it can't be read.
  private static func contents(_ path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 { bytes += buffer[..<count] } else if count == 0 || errno != EINTR { return bytes }
    }
  }
}
