import Foundation
import Testing

/// Compares `actual` with the golden file `Tests/Golden/<test target>/<name>`.
///
/// With `GARLAND_UPDATE_GOLDEN=1` in the environment the file is written instead, and the test fails once to say so.
public func expectGolden(
  _ actual: String, _ name: String, filePath: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) {
  let sourceFolders = URL(filePath: filePath).pathComponents
  let tests = sourceFolders.lastIndex(of: "Tests") ?? 0
  let target = tests + 1 < sourceFolders.count - 1 ? sourceFolders[tests + 1] : ""
  let file = URL(filePath: sourceFolders[...tests].joined(separator: "/").replacingOccurrences(of: "//", with: "/"))
    .appending(path: "Golden").appending(path: target).appending(path: name)
  if ProcessInfo.processInfo.environment["GARLAND_UPDATE_GOLDEN"] == "1" {
    do {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(actual.utf8).write(to: file)
      Issue.record("wrote \(file.path); run again without GARLAND_UPDATE_GOLDEN", sourceLocation: sourceLocation)
    } catch {
      Issue.record(error, sourceLocation: sourceLocation)
    }
    return
  }
  guard let data = try? Data(contentsOf: file) else {
    Issue.record("no golden file \(file.path); GARLAND_UPDATE_GOLDEN=1 writes it. Actual:\n\(actual)", sourceLocation: sourceLocation)
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
