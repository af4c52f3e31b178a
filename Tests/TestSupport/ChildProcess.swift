import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// A program run to its end, or until a test stops it.
///
/// ```swift
/// let result = try await ChildProcess.run("/bin/echo", ["hello"])
/// #expect(result.output == "hello\n")
/// ```
/// It inherits nothing of the tests but what is given: no descriptor, no blocked signal. A thread of its own reads what it prints, so that no
/// number of programs can hold up the tests. A test that is cancelled, by its time limit for one, kills the program it waits for.
public final class ChildProcess: Sendable {
  /// The result of a program.
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

  /// Why a program could not be started.
  public struct StartError: Error, CustomStringConvertible {
    /// In words.
    public let description: String
  }

  private struct State {
    var output: [UInt8] = []
    var error: [UInt8] = []
    var result: Result?
    var waiters: [UnsafeContinuation<Result, Never>] = []
    var lookouts: [(text: [UInt8], UnsafeContinuation<Bool, Never>)] = []
  }

  private let state = Mutex(State())
  private let ended = DispatchSemaphore(value: 0)
  private let process: pid_t

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
    let inputPipe = try ProcessPipe()
    let outputPipe = try ProcessPipe()
    let errorPipe = try ProcessPipe()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, inputPipe.reading, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, outputPipe.writing, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errorPipe.writing, STDERR_FILENO)
    guard Self.closeFrom(&actions, 3) == 0 else { throw StartError(description: "descriptors can't be closed in a child") }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The threads that tests run on have most signals blocked.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var variables = ProcessInfo.processInfo.environment
    for (name, value) in environment { variables[name] = value }
    var child = pid_t()
    // A shell changes the folder and becomes the program.
    let command = folder.map { ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", $0, path] } ?? [path]
    let code = Self.withStrings(command + arguments) { arguments in
      Self.withStrings(variables.map { "\($0)=\($1)" }) { posix_spawn(&child, command[0], &actions, &attributes, arguments, $0) }
    }
    guard code == 0 else { throw StartError(description: "\(path): \(String(cString: strerror(code)))") }
    process = child
    inputPipe.closeReading()
    outputPipe.closeWriting()
    errorPipe.closeWriting()
    let traffic = ProcessTraffic(input: (inputPipe, input), output: outputPipe, error: errorPipe)
    try Self.onThread { [self] in
      traffic.carry { bytes, isError in received(bytes, isError: isError) }
      end()
    }
  }

  /// Runs a program to its end.
  public static func run(
    _ path: String, _ arguments: [String], environment: [String: String?] = [:], input: [UInt8] = [], in folder: String? = nil
  ) async throws -> Result {
    try await ChildProcess(path, arguments, environment: environment, input: input, in: folder).result
  }

  /// Runs a program to its end while the caller's thread waits, for what is made once and can't be asynchronous.
  public static func runBlocking(_ path: String, _ arguments: [String]) throws -> Result {
    let child = try ChildProcess(path, arguments)
    child.ended.wait()
    guard let result = child.state.withLock({ $0.result }) else { throw StartError(description: "\(path) has no result") }
    return result
  }

  /// The result, once the program has ended and its outputs are closed.
  public var result: Result {
    get async {
      await withTaskCancellationHandler {
        await withUnsafeContinuation { continuation in
          let known = state.withLock { state in
            if state.result == nil { state.waiters.append(continuation) }
            return state.result
          }
          if let known { continuation.resume(returning: known) }
        }
      } onCancel: {
        signal(SIGKILL)
      }
    }
  }

  /// Waits until a text has appeared on standard output or standard error; false if the program ended without it.
  public func sees(_ text: String) async -> Bool {
    let bytes = Array(text.utf8)
    return await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let known = state.withLock { state -> Bool? in
          if state.output.contains(bytes) || state.error.contains(bytes) { return true }
          if state.result != nil { return false }
          state.lookouts.append((bytes, continuation))
          return nil
        }
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      signal(SIGKILL)
    }
  }

  /// Sends a signal, unless the program has ended.
  public func signal(_ number: Int32) {
    // Under the lock, so that the number can't belong to another process yet.
    state.withLock { if $0.result == nil { kill(process, number) } }
  }

  /// Sends a signal to the whole process group of a program that was started by `setsid`, unless the program has ended.
  public func signalGroup(_ number: Int32) {
    state.withLock { if $0.result == nil { kill(-process, number) } }
  }

  /// The output so far.
  public var soFar: (output: String, error: String) {
    state.withLock { (String(decoding: $0.output, as: UTF8.self), String(decoding: $0.error, as: UTF8.self)) }
  }

  private func received(_ bytes: [UInt8], isError: Bool) {
    let seen = state.withLock { state in
      if isError { state.error += bytes } else { state.output += bytes }
      var seen: [UnsafeContinuation<Bool, Never>] = []
      state.lookouts.removeAll { lookout in
        guard state.output.contains(lookout.text) || state.error.contains(lookout.text) else { return false }
        seen.append(lookout.1)
        return true
      }
      return seen
    }
    for lookout in seen { lookout.resume(returning: true) }
  }

  private func end() {
    // Waits without taking the process away, so that its number stays its own until the result is there.
    var information = siginfo_t()
    while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    let (result, waiters, lookouts) = state.withLock { state in
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      let result = Result(
        status: status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F), outputBytes: state.output, errorBytes: state.error)
      state.result = result
      defer {
        state.waiters = []
        state.lookouts = []
      }
      return (result, state.waiters, state.lookouts)
    }
    ended.signal()
    for waiter in waiters { waiter.resume(returning: result) }
    for lookout in lookouts { lookout.1.resume(returning: false) }
  }

  // MARK: Plumbing

  /// `posix_spawn_file_actions_addclosefrom_np` of glibc 2.34, whose declaration Swift does not import.
  static func closeFrom(_ actions: inout posix_spawn_file_actions_t, _ first: Int32) -> Int32 {
    typealias Function = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
    guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return ENOSYS }
    return unsafeBitCast(symbol, to: Function.self)(&actions, first)
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private static func onThread(_ body: @escaping @Sendable () -> Void) throws {
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(body))
    let code = pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer else { return nil }
        Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    guard code == 0 else {
      work.release()
      throw StartError(description: "no thread: \(String(cString: strerror(code)))")
    }
    pthread_detach(thread)
  }

  private static func withStrings<Value>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value) -> Value {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}
