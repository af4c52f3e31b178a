import GarlandDiagnostics
import Glibc
import Synchronization

@testable import GarlandReports

/// A pipe of the system with the smallest possible capacity, and its reader.
final class TestPipe: Sendable {
  let reading: Int32
  let writing: Int32
  /// The capacity of the pipe in bytes.
  let capacity: Int
  private let isWritable = Mutex(true)
  private let isReadable = Mutex(true)

  init() throws {
    FileDescriptorSink.ignoreBrokenPipes()
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw ReportError.cannotWrite(path: "a pipe", reason: errno) }
    (reading, writing) = (ends[0], ends[1])
    // Other tests start programs, which must not inherit the pipe.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // The value of `F_SETPIPE_SZ`, which Swift does not import.
    capacity = Int(fcntl(writing, 1_031, 4_096))
  }

  deinit {
    closeReading()
    closeWriting()
  }

  func closeWriting() { Self.close(writing, isWritable) }
  func closeReading() { Self.close(reading, isReadable) }

  private static func close(_ descriptor: Int32, _ isOpen: borrowing Mutex<Bool>) {
    isOpen.withLock { isOpen in
      if isOpen { Glibc.close(descriptor) }
      isOpen = false
    }
  }

  /// Waits for bytes and reads at most `count` of them. Returns no bytes if the other end is closed everywhere.
  func read(_ count: Int) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    let got = Glibc.read(reading, &buffer, count)
    return Array(buffer.prefix(max(0, got)))
  }

  /// Returns all bytes until the other end is closed everywhere. They are read on a separate thread, since all threads of the tests may be
  /// waiting.
  func pieces(atOnce count: Int = 4_096) -> AsyncStream<[UInt8]> {
    let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    let status = WorkerThread.start { [self] in
      while true {
        let piece = read(count)
        guard !piece.isEmpty else { return continuation.finish() }
        continuation.yield(piece)
      }
    }
    if status != 0 { continuation.finish() }
    return stream
  }

  static func text(_ pieces: AsyncStream<[UInt8]>) async -> String {
    var all: [UInt8] = []
    for await piece in pieces { all += piece }
    return String(decoding: all, as: UTF8.self)
  }
}
