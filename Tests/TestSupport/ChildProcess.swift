import Foundation
import Synchronization

/// A program run to its end, or until a test stops it.
///
/// ```swift
/// let result = try await ChildProcess.run("/bin/echo", ["hello"])
/// #expect(result.output == "hello\n")
/// ```
public final class ChildProcess: Sendable {
  /// What a program left behind.
  public struct Result: Sendable {
    /// The exit status; 128 and the signal's number when a signal ended it.
    public var status: Int32
    /// Standard output.
    public var outputBytes: [UInt8]
    /// Standard error.
    public var errorBytes: [UInt8]

    /// Standard output as text.
    public var output: String { String(decoding: outputBytes, as: UTF8.self) }
    /// Standard error as text.
    public var error: String { String(decoding: errorBytes, as: UTF8.self) }
  }

  private struct State {
    var output: [UInt8] = []
    var error: [UInt8] = []
    var openEnds = 2
    var status: Int32?
    var waiters: [CheckedContinuation<Result, Never>] = []
    var lookouts: [(text: [UInt8], CheckedContinuation<Bool, Never>)] = []
  }

  private let state = Mutex(State())
  private let process: Process

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: the executable.
  ///   - arguments: its arguments.
  ///   - environment: added to that of the tests; nil removes a variable.
  ///   - input: what it reads from standard input, which is then closed.
  ///   - folder: its working directory.
  public init(
    _ path: String, _ arguments: [String], environment: [String: String?] = [:], input: [UInt8] = [], in folder: String? = nil
  ) throws {
    process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    var variables = ProcessInfo.processInfo.environment
    for (name, value) in environment { variables[name] = value }
    process.environment = variables
    if let folder { process.currentDirectoryURL = URL(filePath: folder) }
    let inputPipe = Pipe()
    let outputPipe = Pipe()
    let errorPipe = Pipe()
    process.standardInput = inputPipe
    process.standardOutput = outputPipe
    process.standardError = errorPipe
    outputPipe.fileHandleForReading.readabilityHandler = { [self] handle in
      let data = handle.availableData
      if data.isEmpty { handle.readabilityHandler = nil }
      received(Array(data), isError: false)
    }
    errorPipe.fileHandleForReading.readabilityHandler = { [self] handle in
      let data = handle.availableData
      if data.isEmpty { handle.readabilityHandler = nil }
      received(Array(data), isError: true)
    }
    process.terminationHandler = { [self] process in
      let status = process.terminationReason == .uncaughtSignal ? 128 + process.terminationStatus : process.terminationStatus
      change { $0.status = status }
    }
    try process.run()
    if !input.isEmpty { try? inputPipe.fileHandleForWriting.write(contentsOf: Data(input)) }
    try? inputPipe.fileHandleForWriting.close()
  }

  /// Runs a program to its end.
  public static func run(
    _ path: String, _ arguments: [String], environment: [String: String?] = [:], input: [UInt8] = [], in folder: String? = nil
  ) async throws -> Result {
    try await ChildProcess(path, arguments, environment: environment, input: input, in: folder).result
  }

  /// The result, once the program has ended and its outputs are closed.
  public var result: Result {
    get async {
      await withCheckedContinuation { continuation in change { $0.waiters.append(continuation) } }
    }
  }

  /// Waits until a text has appeared on standard output or standard error; false if the program ended without it.
  public func sees(_ text: String) async -> Bool {
    await withCheckedContinuation { continuation in change { $0.lookouts.append((Array(text.utf8), continuation)) } }
  }

  /// Sends a signal.
  public func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// What has come out so far.
  public var soFar: (output: String, error: String) {
    state.withLock { (String(decoding: $0.output, as: UTF8.self), String(decoding: $0.error, as: UTF8.self)) }
  }

  private func received(_ bytes: [UInt8], isError: Bool) {
    change { state in
      if bytes.isEmpty {
        state.openEnds -= 1
      } else if isError {
        state.error += bytes
      } else {
        state.output += bytes
      }
    }
  }

  private func change(_ body: (inout State) -> Void) {
    let (result, waiters, seen, unseen) = state.withLock {
      state -> (Result?, [CheckedContinuation<Result, Never>], [CheckedContinuation<Bool, Never>], [CheckedContinuation<Bool, Never>]) in
      body(&state)
      var seen: [CheckedContinuation<Bool, Never>] = []
      state.lookouts.removeAll { lookout in
        guard state.output.contains(lookout.text) || state.error.contains(lookout.text) else { return false }
        seen.append(lookout.1)
        return true
      }
      guard let status = state.status, state.openEnds == 0 else { return (nil, [], seen, []) }
      let waiters = state.waiters
      let unseen = state.lookouts.map { $0.1 }
      state.waiters = []
      state.lookouts = []
      return (Result(status: status, outputBytes: state.output, errorBytes: state.error), waiters, seen, unseen)
    }
    for lookout in seen { lookout.resume(returning: true) }
    for lookout in unseen { lookout.resume(returning: false) }
    if let result {
      for waiter in waiters { waiter.resume(returning: result) }
    }
  }
}
