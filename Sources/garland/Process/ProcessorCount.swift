import Glibc

/// The number of processors that this process may use.
enum ProcessorCount {
  /// The number of processors that this process can use, at least 1.
  ///
  /// This is the number of processors in the affinity mask of the process (proc_pid_status(5), `Cpus_allowed`), or the quota of the control
  /// group of the process (cgroup v2, `cpu.max`) if the quota is smaller. Containers set such a quota.
  static var usable: Int {
    let online = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    // The mask may contain processors that are not online.
    let processors = min(allowed(text(of: "/proc/self/status")) ?? online, online)
    return quota(text(of: "/sys/fs/cgroup/cpu.max")).map { min($0, processors) } ?? processors
  }

  /// Returns the number of processors in an affinity mask; nil if the text contains no mask.
  ///
  /// - Parameter status: the contents of `/proc/self/status`. Its line `Cpus_allowed` is a hexadecimal number with commas.
  static func allowed(_ status: String) -> Int? {
    let name = "Cpus_allowed:"
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else { return nil }
    let count = line.dropFirst(name.count).reduce(0) { $0 + ($1.hexDigitValue ?? 0).nonzeroBitCount }
    return count > 0 ? count : nil
  }

  /// Returns the number of processors that a quota allows, rounded up; nil if there is no quota.
  ///
  /// - Parameter maximum: the contents of `cpu.max`, which are two numbers. The first is the permitted processor time in each period, in
  ///   microseconds, or `max`. The second is the length of a period in microseconds.
  static func quota(_ maximum: String) -> Int? {
    let words = maximum.split(whereSeparator: \.isWhitespace)
    guard words.count == 2, let quota = Double(words[0]), let period = Double(words[1]), quota > 0, period > 0 else { return nil }
    return max(1, Int((quota / period).rounded(.up)))
  }

  private static func text(of path: String) -> String { String(decoding: KernelFile.contents(path), as: UTF8.self) }
}

/// The files of the kernel in `/proc` and `/sys`.
enum KernelFile {
  /// Returns the content of a kernel file, such as `/proc/self/status`; empty if the file can't be read. The size of such a file is unknown
  /// before it is read.
  static func contents(_ path: String) -> [UInt8] {
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
