import GarlandDiagnostics
import Glibc
import Testing

@testable import GarlandReports

@Suite(.timeLimit(.minutes(15))) struct PromptPipeTests {
  private static func lines(_ count: Int) -> [UInt8] { Array((0..<count).map { "line \($0)\n" }.joined().utf8) }

  @Test func `console output is written to a pipe in pieces of whole lines, each small enough for an atomic write`() {
    func length(_ text: String) -> Int? { Array(text.utf8).withUnsafeBytes { PromptPipe.pieceLength($0) } }
    let line = String(repeating: "x", count: 1_999) + "\n"
    #expect(length("") == 0)
    #expect(length("a\n") == 2)
    #expect(length(line + line) == 4_000)
    #expect(length(line + line + line) == 4_000)
    #expect(length(String(repeating: "x", count: 4_095) + "\n") == 4_096)
    #expect(length(String(repeating: "x", count: 4_095) + "\na\n") == 4_096)
    #expect(length(String(repeating: "x", count: 4_096) + "\n") == nil)
  }

  @Test func `console lines that do not fit into a full pipe are written later in the same order`() throws {
    let ends = try TestPipe()
    let pipe = try #require(PromptPipe.open(ends.writing))
    let all = Self.lines(2_000)
    var rest = all
    #expect(pipe.write(&rest) == .untilFull)
    #expect(rest.count < all.count && rest.count >= all.count - ends.capacity)
    #expect(pipe.write(&rest) == .untilFull)
    var got: [UInt8] = []
    var progress = PromptPipe.Progress.untilFull
    while progress == .untilFull {
      // As long as less than a piece was read, the pipe has no room.
      got += ends.read(1_000)
      progress = pipe.write(&rest)
    }
    #expect(progress == .all)
    #expect(rest.isEmpty)
    while got.count < all.count { got += ends.read(4_096) }
    #expect(got == all)
  }

  /// Output consists of whole lines, so that another program's lines never appear in the middle of a line.
  @Test func `if a pipe becomes full, the console output stops after a whole line`() throws {
    let ends = try TestPipe()
    let pipe = try #require(PromptPipe.open(ends.writing))
    var rest = Self.lines(2_000)
    #expect(pipe.write(&rest) == .untilFull)
    #expect(rest.starts(with: "line ".utf8))
    #expect(ends.read(ends.capacity).last == UInt8(ascii: "\n"))
  }

  @Test func `non-blocking console output to a pipe leaves the original descriptor of the pipe in blocking mode`() throws {
    let ends = try TestPipe()
    let pipe = try #require(PromptPipe.open(ends.writing))
    #expect(fcntl(ends.writing, F_GETFL) & O_NONBLOCK == 0)
    var line = Self.lines(1)
    #expect(pipe.write(&line) == .all)
  }

  @Test func `writing to a non-blocking pipe stops before a line that the pipe can't take as a whole`() throws {
    let ends = try TestPipe()
    let pipe = try #require(PromptPipe.open(ends.writing))
    var rest = Array("a\n".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: 5_000)
    let long = Array(rest.dropFirst(2))
    #expect(pipe.write(&rest) == .untilLongLine)
    #expect(rest == long)
  }

  @Test func `a write to a pipe without a reader reports that the pipe is closed`() throws {
    let ends = try TestPipe()
    let pipe = try #require(PromptPipe.open(ends.writing))
    ends.closeReading()
    var line = Self.lines(1)
    #expect(pipe.write(&line) == .failure(.closed))
    let late = try #require(PromptPipe.open(ends.writing))
    #expect(late.write(&line) == .failure(.closed))
  }

  @Test func `after a PromptPipe object is deallocated, the reader of the pipe sees the end of the output`() throws {
    let ends = try TestPipe()
    do {
      let pipe = try #require(PromptPipe.open(ends.writing))
      var line = Self.lines(1)
      #expect(pipe.write(&line) == .all)
    }
    ends.closeWriting()
    #expect(ends.read(100) == Self.lines(1))
    #expect(ends.read(100).isEmpty)
  }
}
