import FoundationEssentials
import Glibc
import Testing

/// Compares `actual` with the golden file `Tests/Golden/<test target>/<name>`.
///
/// With `GARLAND_UPDATE_GOLDEN=1` in the environment the file is written instead, and the test fails once to say so.
public func expectGolden(
  _ actual: String, _ name: String, filePath: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) {
  let folders = filePath.split(separator: "/")
  let tests = folders.lastIndex(of: "Tests") ?? 0
  let target = tests + 1 < folders.count - 1 ? "/" + folders[tests + 1] : ""
  let file = "/" + folders[...tests].joined(separator: "/") + "/Golden\(target)/\(name)"
  if getenv("GARLAND_UPDATE_GOLDEN").map({ String(cString: $0) }) == "1" {
    do {
      let folder = file.split(separator: "/").dropLast().joined(separator: "/")
      try FileManager.default.createDirectory(atPath: "/" + folder, withIntermediateDirectories: true)
      try Data(actual.utf8).write(to: URL(filePath: file))
      Issue.record("wrote \(file); run again without GARLAND_UPDATE_GOLDEN", sourceLocation: sourceLocation)
    } catch {
      Issue.record(error, sourceLocation: sourceLocation)
    }
    return
  }
  guard let data = FileManager.default.contents(atPath: file) else {
    Issue.record("no golden file \(file); GARLAND_UPDATE_GOLDEN=1 writes it. Actual:\n\(actual)", sourceLocation: sourceLocation)
    return
  }
  let expected = String(decoding: data, as: UTF8.self)
  guard actual != expected else { return }
  let actualLines = actual.split(separator: "\n", omittingEmptySubsequences: false)
  let expectedLines = expected.split(separator: "\n", omittingEmptySubsequences: false)
  let same = zip(actualLines, expectedLines).prefix { $0 == $1 }.count
  Issue.record(
    """
    \(name) differs at line \(same + 1)
    expected: \(same < expectedLines.count ? String(expectedLines[same]) : "(end)")
    actual:   \(same < actualLines.count ? String(actualLines[same]) : "(end)")
    --- whole actual text
    \(actual)
    """, sourceLocation: sourceLocation)
}
