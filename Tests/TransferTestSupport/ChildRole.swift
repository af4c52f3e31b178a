import Glibc
import TestSupport

/// A test of this target in a process of its own: for what happens when a process is killed, and for what a process alone says of its memory.
package enum ChildRole {
  private static let variable = "GARLAND_TEST_ROLE"

  /// The role of this process, if it is such a child.
  package static let current: String? = getenv(variable).map { String(cString: $0) }

  /// A value that the parent gave.
  package static func value(_ name: String) -> String { getenv("GARLAND_TEST_" + name).map { String(cString: $0) } ?? "" }

  /// Starts the tests' own program again, for the one test of this name, which finds `role` to be current.
  package static func start(
    _ role: String, test: String, _ values: [String: String] = [:], environment more: [String: String?] = [:]
  ) throws -> ChildProcess {
    var environment = more
    environment[variable] = .some(role)
    for (name, value) in values { environment["GARLAND_TEST_" + name] = value }
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &path, path.count)
    let program = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // The other tests come first.
    return try ChildProcess(
      "/usr/bin/nice", ["-n", "10", program, "--testing-library", "swift-testing", "--filter", test], environment: environment)
  }

  /// Tells the parent something that it waits for.
  package static func say(_ text: String) {
    print(text)
    fflush(nil)
  }

  /// The most memory that this process has had, in bytes.
  package static var peakMemory: Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if text.hasPrefix("VmHWM:"), let kilobytes = text.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) }) {
        return kilobytes * 1024
      }
    }
    return 0
  }
}
