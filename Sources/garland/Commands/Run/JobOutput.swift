import GarlandReports
import Glibc

/// The standard output of a job in a CI system. The system interprets commands in this output, such as `::add-mask::` or
/// `##vso[task.setvariable]`.
struct JobOutput {
  private let log: JobLog?

  /// Determines the CI system from environment variables.
  init(_ environment: [String: String]) { log = JobLog(environment: environment) }

  /// The CI system that interprets commands in the output. Nil in two cases:
  ///
  /// - No CI system reads the output.
  /// - Standard output goes to another program, to a file, or to a shell that captures the output (`ID=$(garland …)`). The output must then
  ///   stay unchanged.
  private var reader: JobLog? { log.flatMap { Self.isStandardOutput($0) ? $0 : nil } }

  /// A random token with which the program makes the CI system ignore commands while text from a server is printed. Nil if no CI system
  /// reads the output, or if the CI system can't ignore commands.
  var pause: String? {
    guard reader?.canPause == true else { return nil }
    return "garland-" + String(UInt64.random(in: .min ... .max), radix: 16) + String(UInt64.random(in: .min ... .max), radix: 16)
  }

  /// Whether text from a server is changed so that the CI system does not execute the CI commands in the text. True for a CI system that
  /// cannot pause the interpretation of commands.
  var breaksCommands: Bool { reader.map { !$0.canPause } ?? false }

  /// Whether the standard output of this process is the standard output of the job.
  ///
  /// The CI runner gives each command of a job a pipe, which all child processes inherit. Therefore this function checks the processes
  /// between the CI runner and this process: if one of them has a different standard output, the output of this process was redirected.
  private static func isStandardOutput(_ log: JobLog) -> Bool {
    guard let own = place("/proc/self/fd/1"), own.isPipe else { return false }
    var process = getppid()
    while process > 1, belongsToJob(process, log) {
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

  private static func belongsToJob(_ process: pid_t, _ log: JobLog) -> Bool {
    let (name, value) = log.variable
    return KernelFile.contents("/proc/\(process)/environ").split(separator: 0).contains { entry in
      value.isEmpty ? entry.starts(with: "\(name)=".utf8) : entry.elementsEqual("\(name)=\(value)".utf8)
    }
  }

  /// Returns the parent of a process: the fourth field of the file `/proc/PID/stat`, see proc_pid_stat(5). The search for this field begins
  /// after the last `)`, since the second field is a name in parentheses, which may contain any character.
  private static func parent(of process: pid_t) -> pid_t? {
    let text = KernelFile.contents("/proc/\(process)/stat")
    guard let bracket = text.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let words = text[(bracket + 1)...].split(separator: UInt8(ascii: " "))
    return words.count > 1 ? pid_t(String(decoding: words[1], as: UTF8.self)) : nil
  }
}
