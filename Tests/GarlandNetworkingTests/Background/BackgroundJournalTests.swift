import Glibc
import HTTPTypes
import TestSupport
import Testing

@testable import GarlandNetworking
@testable import GarlandTransfer

/// Tests the state in a journal, and what remains of the state after damage.
@Suite struct BackgroundJournalTests {
  fileprivate static func task(_ id: Int, download: Bool = false) -> BackgroundTask {
    BackgroundTask(
      id: id,
      work: download
        ? .download(DownloadTarget(path: "/tmp/ü \(id)", name: id % 2 == 0 ? .given : .suggested, replacesExisting: true, partial: .kept))
        : .upload(file: "/tmp/\"\(id)\"\n"),
      method: download ? .get : .put, url: "http://h/\(id)?a=b",
      headerFields: [.authorization: "Bearer \(id)", .accept: "a", .accept: "b"],
      tag: id % 3 == 0 ? nil : "tag \(id)", priority: .high, created: 1_700_000_000, earliestBegin: id % 2 == 0 ? nil : 1_700_000_100)
  }

  private static let entries: [BackgroundEntry] = [
    .header(identifier: "x", nextID: 4), .added(task(4)), .added(task(5, download: true)), .added(task(6, download: true)),
    .received(id: 6, temporaryPath: "/tmp/.6", .init(status: 200, headerFields: [.eTag: "\"a\""], path: "/tmp/6", content: [])),
    .ended(id: 4, .finished(.init(status: 201, headerFields: [:], path: nil, content: [0, 255, 10]))),
    .ended(id: 6, .failed(.init(kind: .connectionLost, description: "it was \"lost\"", status: 503))), .delivered(id: 4),
    .delivered(id: 77),
    .ended(id: 99, .failed(.init(kind: nil, description: "", status: nil))),
  ]

  private static func bytes(_ entries: [BackgroundEntry]) -> [UInt8] {
    var bytes: [UInt8] = []
    for entry in entries { JournalLine.encode(entry, into: &bytes) }
    return bytes
  }

  @Test func `each entry of a background session's journal is unchanged after it is encoded and decoded`() {
    for entry in Self.entries {
      let line = Self.bytes([entry])
      #expect(JournalLine.decode(line.dropLast()) == entry)
    }
  }

  @Test func `reading a background session's journal restores the open tasks, the undelivered results and the next task number`() {
    let (state, damaged) = JournalLine.read(Self.bytes(Self.entries))
    #expect(damaged == 0)
    #expect(state.orderedTasks == [Self.task(5, download: true)])
    #expect(state.results.map(\.task.id) == [6])
    #expect(state.nextID == 7)
    #expect(state.placements.isEmpty)
    // The shortest equivalent journal.
    let short = JournalLine.read(Self.bytes(state.entries(identifier: "x"))).state
    #expect(short == state)
    // A number is never used again, even after all results were delivered.
    var told = state
    told.apply(.ended(id: 5, .failed(.init(kind: .cancelled, description: "", status: nil))))
    told.apply(.delivered(id: 5))
    told.apply(.delivered(id: 6))
    #expect(told.tasks.isEmpty && told.results.isEmpty)
    #expect(JournalLine.read(Self.bytes(told.entries(identifier: "x"))).state.nextID == 7)
  }

  @Test func `if a background session's journal is cut off at any byte, the state in its complete lines is restored`() {
    let bytes = Self.bytes(Self.entries)
    var whole = 0
    var states = [BackgroundState()]
    for entry in Self.entries {
      var next = states[states.count - 1]
      next.apply(entry)
      states.append(next)
    }
    for cut in 0...bytes.count {
      if cut > 0, bytes[cut - 1] == UInt8(ascii: "\n") { whole += 1 }
      let (state, damaged) = JournalLine.read(Array(bytes[..<cut]))
      #expect(damaged == 0)
      #expect(state == states[whole])
    }
  }

  @Test func `one wrong byte in a background session's journal makes at most two lines invalid`() {
    let bytes = Self.bytes(Self.entries)
    for place in stride(from: 0, to: bytes.count, by: 3) {
      for change: UInt8 in [1, 0x20, 0x80, bytes[place] ^ UInt8(ascii: "\n")] where change != 0 {
        var wrong = bytes
        wrong[place] ^= change
        let (state, damaged) = JournalLine.read(wrong)
        let isLastBreak = place == bytes.count - 1
        #expect(damaged >= (isLastBreak ? 0 : 1) && damaged <= 2)
        #expect(state.tasks.count <= 3)
      }
    }
  }

  @Test func `if a line of a background session's journal is damaged, the other entries can still be read`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/x"
    do {
      let journal = try BackgroundJournal(folder: path, identifier: "x")
      try journal.append(.added(Self.task(1)))
      try journal.append(.added(Self.task(2, download: true)), .ended(id: 1, .failed(.init(kind: .tls, description: "t", status: nil))))
      do throws(NetworkingError) {
        _ = try BackgroundJournal(folder: path, identifier: "x")
        Issue.record("two have it")
      } catch {
        #expect(error.reason == .background(.inUse(identifier: "x")))
      }
    }
    // A partial line, and a line that lost a byte.
    var bytes = try folder.read("x/journal")
    bytes += Array("12345678 {\"added\"".utf8)
    try folder.write("x/journal", bytes)
    do {
      let journal = try BackgroundJournal(folder: path, identifier: "x")
      #expect(journal.state.orderedTasks == [Self.task(2, download: true)])
      #expect(journal.state.results.map(\.task) == [Self.task(1)])
    }
    #expect(try folder.read("x/journal").last == UInt8(ascii: "\n"))
    bytes = try folder.read("x/journal")
    bytes[bytes.count - 3] ^= 1
    try folder.write("x/journal", bytes)
    do {
      let journal = try BackgroundJournal(folder: path, identifier: "x")
      #expect(journal.state.tasks.isEmpty)
      #expect(journal.state.results.map(\.task) == [Self.task(1)])
    }
    #expect(try folder.read("x/journal.damaged") == bytes)
    #expect(throws: NetworkingError.self) { try BackgroundJournal(folder: path, identifier: "y") }
    #expect(throws: NetworkingError.self) { try BackgroundJournal(folder: path + "/journal", identifier: "x") }
  }

  /// On a full disk, an append that fails must not write any of its entries. Its partial line must not become
  /// the beginning of the next line.
  @Test func `on a full disk, a background session's journal loses an entry only if the method 'append' throws an error`() async {
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      let folder = try TemporaryFolder()
      let journal = try BackgroundJournal(folder: folder.path + "/x", identifier: "x")
      try journal.append(.added(Self.task(1)))
      let size = try folder.read("x/journal").count
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      var before = rlimit()
      #expect(getrlimit(resource, &before) == 0)
      var limit = before
      limit.rlim_cur = rlim_t(size + 20)
      #expect(setrlimit(resource, &limit) == 0)
      do throws(NetworkingError) {
        try journal.append(.added(Self.task(2)))
        Issue.record("it was written")
      } catch {
        guard case .background(.journal(let file)) = error.reason else {
          Issue.record("\(error)")
          return
        }
        #expect(file.operation == .write && file.detail == "File too large")
      }
      #expect(setrlimit(resource, &before) == 0)
      #expect(journal.state.orderedTasks == [Self.task(1)])
      try journal.append(.added(Self.task(3)))
      let (state, damaged) = JournalLine.read(try folder.read("x/journal"))
      #expect(damaged == 0)
      #expect(state.orderedTasks == [Self.task(1), Self.task(3)])
    }
  }

  @Test func `the journal of a background session is compacted after many tasks have finished`() throws {
    let folder = try TemporaryFolder()
    let journal = try BackgroundJournal(folder: folder.path + "/x", identifier: "x")
    for id in 1...600 {
      try journal.append(
        .added(Self.task(id)), .ended(id: id, .failed(.init(kind: .tls, description: "t", status: nil))), .delivered(id: id))
    }
    let lines = try folder.read("x/journal").split(separator: UInt8(ascii: "\n")).count
    #expect(lines < 1_100)
    #expect(journal.state.tasks.isEmpty && journal.state.results.isEmpty && journal.state.nextID == 601)
    #expect(JournalLine.read(try folder.read("x/journal")).state == journal.state)
  }

  @Test(
    arguments: [("com.example.sync", "com.example.sync"), ("a/b", "a%2Fb"), ("ü\n%", "%C3%BC%0A%25"), ("", nil), (".", nil), ("..", nil)]
      as [(String, String?)])
  func `a background session's identifier becomes a percent-encoded folder name unless it is empty, '.' or '..'`(
    _ identifier: String, _ name: String?
  ) {
    #expect(BackgroundFolder.name(for: identifier) == name)
  }
}
