import GarlandDiagnostics
import Glibc
import Testing
import TestSupport

@Suite struct OutputTests {
  @Test func `a secret that is split between two writes to the output is masked`() throws {
    let redactor = Redactor()
    redactor.register("secret")
    let sink = MemorySink()
    let output = RedactedOutput(sink, redactor: redactor)
    try output.write(Array("one sec".utf8))
    #expect(sink.text == "one ")
    try output.write(Array("ret two s".utf8))
    #expect(sink.text == "one *** two ")
    try output.write(Array("low".utf8), isComplete: true)
    try output.write(Array("s".utf8), isComplete: true)
    try output.write(Array("se".utf8))
    try output.write([], isComplete: true)
    #expect(sink.text == "one *** two slowsse")
  }

  @Test func `a write to a full non-blocking pipe waits and loses no byte`() async throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    #expect(fcntl(writing, F_SETFL, fcntl(writing, F_GETFL) | O_NONBLOCK) == 0)
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let reader = Task.detached {
      var all: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 10_000)
      while case let count = read(reading, &buffer, buffer.count), count > 0 { all += buffer[..<count] }
      return all
    }
    try FileDescriptorSink(fileDescriptor: writing).write(bytes)
    close(writing)
    #expect(await reader.value == bytes)
    close(reading)
  }

  @Test func `if output cannot be written to a file descriptor, the error contains the reason of the operating system`() {
    FileDescriptorSink.ignoreBrokenPipes()
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    close(ends[0])
    #expect(throws: OutputError.closed) { try FileDescriptorSink(fileDescriptor: ends[1]).write([1]) }
    close(ends[1])
    #expect(throws: OutputError.failed(errno: EBADF)) { try FileDescriptorSink(fileDescriptor: -1).write([1]) }
    let full = open("/dev/full", O_WRONLY)
    #expect(throws: OutputError.failed(errno: ENOSPC)) { try FileDescriptorSink(fileDescriptor: full).write([1]) }
    close(full)
    #expect(OutputError.failed(errno: ENOSPC).description == "the output could not be written: No space left on device")
  }

  @Test func `a pipe is not detected as a terminal`() {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    #expect(TerminalFacts.detect(fileDescriptor: ends[1]) == TerminalFacts())
    close(ends[0])
    close(ends[1])
  }
}
