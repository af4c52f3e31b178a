import GarlandDiagnostics
import Glibc
import TestSupport
import Testing

@testable import GarlandReports

@Suite struct ReportFileTests {
  @Test func `a report file appears at its path only after it is written completely`() throws {
    let folder = try ScratchFolder()
    let file = try ReportFile(path: "\(folder.path)/a.xml")
    file.writer.write("text")
    #expect(!folder.names.contains("a.xml"))
    try file.commit()
    #expect(folder.names == ["a.xml"])
    #expect(folder.text("a.xml") == "text")
  }

  @Test func `an incomplete report file is removed when its ReportFile object is deallocated`() throws {
    let folder = try ScratchFolder()
    do {
      let file = try ReportFile(path: "\(folder.path)/a.xml")
      file.writer.write("text")
    }
    #expect(folder.names == [])
  }

  @Test func `a complete report file replaces an existing file, or the target of a symbolic link`() throws {
    let folder = try ScratchFolder()
    for text in ["old", "new"] {
      let file = try ReportFile(path: "\(folder.path)/a.xml")
      file.writer.write(text)
      try file.commit()
    }
    #expect(folder.text("a.xml") == "new")
    symlink("a.xml", "\(folder.path)/link.xml")
    let file = try ReportFile(path: "\(folder.path)/link.xml")
    file.writer.write("through the link")
    try file.commit()
    #expect(folder.text("a.xml") == "through the link")
    #expect(folder.names == ["a.xml", "link.xml"])
  }

  @Test func `creating a report file fails if its path cannot be written`() throws {
    let folder = try ScratchFolder()
    #expect(throws: ReportError.isDirectory(path: folder.path)) { _ = try ReportFile(path: folder.path) }
    #expect(throws: ReportError.cannotWrite(path: "/dev/null/no/a", reason: ENOTDIR)) {
      _ = try JUnitReporter(path: "/dev/null/no/a", redactor: Redactor(), hostname: "h")
    }
    #expect("\(ReportError.cannotWrite(path: "a", reason: ENOSPC))" == "a cannot be written: No space left on device")
  }

  @Test func `a report file whose path ends in a slash is refused, and no folder is made`() throws {
    let folder = try ScratchFolder()
    let path = "\(folder.path)/new/"
    #expect(throws: ReportError.isDirectory(path: path)) { _ = try ReportFile(path: path) }
    #expect(folder.names == [])
  }

  @Test(arguments: ReportFormat.allCases) func `a missing folder of a report file is created`(format: ReportFormat) throws {
    let folder = try TemporaryFolder()
    let text = try ReportText.write(format, Fixture.greenEvents, to: "\(folder.path)/out/of/many/\(format.fileName)")
    #expect(!text.isEmpty)
    #expect(folder.names == ["out"])
  }

  @Test func `on a full disk, writing a report file gives an error`() throws {
    let reporter = try JUnitReporter(path: "/dev/full", redactor: Redactor(), hostname: "h")
    for event in Fixture.allEvents { reporter.receive(event) }
    #expect(throws: ReportError.cannotWrite(path: "/dev/full", reason: ENOSPC)) { try reporter.finish() }
  }

  @Test func `a report to /dev/null is written to the device and does not replace the device with a file`() throws {
    let file = try ReportFile(path: "/dev/null")
    file.writer.write("text")
    try file.commit()
    var facts = stat()
    stat("/dev/null", &facts)
    #expect(facts.st_mode & S_IFMT == S_IFCHR)
  }

  @Test func `parts of a report that were written to a temporary file are read back in plan order`() throws {
    let folder = try ScratchFolder()
    let spool = try Spool(forReportAt: "\(folder.path)/x")
    #expect(folder.names == [])
    for (step, iteration, text) in [(2, 0, "c"), (0, 1, "b"), (0, 0, "a"), (2, 0, "d"), (5, 0, String(repeating: "e", count: 200_000))] {
      spool.append(Array(text.utf8), at: Spool.Key(step: step, iteration: iteration))
    }
    func read(_ range: Range<Int>) -> String {
      var text = ""
      spool.forEach(stepsIn: range) { text += String(decoding: $0, as: UTF8.self) }
      return text
    }
    #expect(read(0..<3) == "abcd")
    #expect(read(1..<5) == "cd")
    #expect(read(5..<9).utf8.count == 200_000)
    #expect(read(6..<9) == "")
    #expect(spool.failure == nil)
  }
}
