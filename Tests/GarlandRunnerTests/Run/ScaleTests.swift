import GarlandResults
import GarlandSandbox
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import GarlandRunner

@Suite("Scale")
struct ScaleTests {
  /// Memory in use by this process, in KiB.
  static func residentKiB() throws -> Int {
    let text = String(decoding: try readAll("/proc/self/statm"), as: UTF8.self)
    let pages = try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    return pages * 4
  }

  private static func readAll(_ path: String) throws -> [UInt8] {
    let descriptor = try #require(open(path, O_RDONLY) as Int32?)
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &buffer, buffer.count)
    return Array(buffer.prefix(max(0, count)))
  }

  /// Counts, and keeps nothing.
  final class Counter: RunObserver {
    let counts = Counts()
    var detail: RunDetail { [] }
    func receive(_ event: RunEvent) {
      if case .stepEnded = event { counts.note() }
    }
  }

  final class Counts: Sendable {
    private let state = Mutex((ended: 0, early: 0, late: 0))
    func note() {
      state.withLock { state in
        state.ended += 1
        let memory = (try? ScaleTests.residentKiB()) ?? 0
        if state.ended == 2000 { state.early = memory }
        if state.ended == 10_000 { state.late = memory }
      }
    }
    var growth: Int { state.withLock { $0.late - $0.early } }
    var ended: Int { state.withLock { $0.ended } }
  }

  @Test func memoryIsFlatOverTenThousandSteps() async throws {
    var options = SandboxOptions()
    options.recordLimit = 100
    try await withSandbox(options) { sandbox in
      // Bodies of 20 KB that others look at: kept, they would come to 200 MB.
      var steps = ""
      for index in 0..<5000 {
        steps += "  a\(index): { get: \"/bytes/20000?seed=\(index)\" }\n  b\(index): { get: \"/status/200?${a\(index).size}\" }\n"
      }
      let counter = Counter()
      let run = try await TestRun.carryOut(prelude + steps, sandbox, detail: []) { $0.observers = [counter] }
      #expect(run.summary.exitStatus == 0)
      #expect(counter.counts.ended == 10_000)
      #expect(counter.counts.growth < 40 << 10, "grew by \(counter.counts.growth) KiB")
    }
  }
}
