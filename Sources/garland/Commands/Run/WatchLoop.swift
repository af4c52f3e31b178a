import GarlandDiagnostics
import Glibc

/// `garland run --watch`: runs, waits until a file of the run changes, and runs the affected steps again.
///
/// Each run is a process of its own. To cancel a run, the loop sends the signal that Ctrl-C would send, so that the cleanups of the run are
/// still executed.
struct WatchLoop {
  /// The time without further changes after which a change is processed, since editors write a file several times.
  private static let quietMilliseconds: Int32 = 100
  /// The maximum time from a change of a file until the change is processed. This limit is needed if other files of the folder, such as
  /// logs, change all the time.
  private static let longestWait = Duration.seconds(1)

  private let command: RunCommand
  private let words: [String]
  private let terminal: Terminal
  private let folders: FolderWatch
  private let signals: WatchSignals
  private let input: RepeatedInput
  /// The descriptor of the file through which a run passes values to the next run; nil if no values are passed.
  private let memory: Int32?
  /// The files that the current run has written.
  private let written: WrittenFiles?
  private var plan: WatchedPlan
  /// While the documents have mistakes, their last state without mistakes; otherwise nil. Also nil if some steps of that state have not
  /// run.
  private var valid: WatchedPlan?
  private var child: pid_t?
  /// The steps that the current run executes. Used to run them again if the run is cancelled.
  private var running = WatchedPlan.Scope.everything
  /// The steps that must run after the current run has ended; nil if no step must run.
  private var waiting: WatchedPlan.Scope?
  /// The steps of all runs that were refused since the last accepted run; nil if the last run was accepted. A run is refused before it
  /// sends anything if it can't begin, for example because a secret is missing.
  private var refused: WatchedPlan.Scope?
  /// The files whose change cancelled the current run.
  private var changedMeanwhile: Set<String> = []

  /// Creates the loop that starts the runs of `--watch`.
  ///
  /// - Parameters:
  ///   - command: The options of `garland run --watch`.
  ///   - words: The words of the command line after `run`.
  init(_ command: RunCommand, words: [String]) throws {
    self.command = command
    self.words = words
    terminal = Terminal(command.output.color, environment: ProcessEnvironment.current)
    // A pipe may stay open for long. Until it is read, signals end the process as usual.
    input = try RepeatedInput(command.values.variableFiles + command.values.secretFiles)
    folders = try FolderWatch()
    signals = try WatchSignals()
    memory = WatchMemory.makeFile()
    written = WrittenFiles()
    plan = WatchedPlan(command, earlier: nil)
  }

  /// Starts runs until one of these events, and returns the exit status:
  ///
  /// - A signal arrives; the status is that of the signal.
  /// - The reader of standard output, such as `head`, has ended; the status is 0.
  /// - A run is refused because of a mistake that is not in a file, for example on the command line; the status is that of the run.
  mutating func run() throws -> Int32 {
    _ = try folders.watch(plan.folders, and: plan.searchedFolders)
    try start(.everything)
    let clock = ContinuousClock()
    var changing: ContinuousClock.Instant?
    while true {
      var ready = [
        pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: folders.descriptor, events: Int16(POLLIN), revents: 0),
        // While a run is in progress, the end of the output's reader is ignored. `poll` skips negative descriptors.
        pollfd(fd: child == nil ? STDOUT_FILENO : -1, events: 0, revents: 0),
      ]
      let count = poll(&ready, 3, changing == nil ? -1 : Self.quietMilliseconds)
      for signal in signals.take() {
        guard signal == SIGCHLD else { return end(signal) }
        if let status = try reap() { return status }
      }
      if child == nil, ready[2].revents != 0 { return 0 }
      if ready[1].revents != 0 {
        folders.drain()
        changing = changing ?? clock.now
      }
      guard let since = changing, count == 0 || clock.now - since > Self.longestWait else { continue }
      changing = try lookForChanges() ? clock.now : nil
    }
  }

  // MARK: Changes

  /// Checks which files have changed, and starts a run of the affected steps. If a run is in progress, it is cancelled first.
  ///
  /// - Returns: Whether further folders are watched from now on. If so, the caller must check again, since files in these folders may have
  ///   changed before they were watched.
  private mutating func lookForChanges() throws -> Bool {
    let next = readPlan()
    let hasNewFolders = try folders.watch(next.folders, and: next.searchedFolders)
    let changed = next.changes(since: plan)
    guard !changed.isEmpty else { return hasNewFolders }
    let earlier = plan
    plan = next
    var scope = scope(of: changed, since: earlier)
    if let refused { scope = scope.union(refused) }
    switch scope {
    case .nothing: note("\(sentence(about: changed)): nothing to run again")
    case .everything, .steps:
      guard let child else {
        note("\(sentence(about: changed)): running \(words(for: scope))")
        try start(scope)
        return hasNewFolders
      }
      // The steps of the cancelled run have to run again, too. The cancelled run itself reports why it stops, since it may be drawing on
      // the terminal.
      if waiting == nil {
        if let memory { WatchMemory.write(change: shown(changed), to: memory) }
        kill(child, SIGINT)
      }
      waiting = (waiting ?? running).union(scope)
      changedMeanwhile.formUnion(changed)
    }
    return hasNewFolders
  }

  /// Reads the current state of the watched files. Files that the current run has written count as unchanged.
  private mutating func readPlan() -> WatchedPlan {
    input.rewind()
    let next = WatchedPlan(command, earlier: plan)
    // A run adds a path to the list before it writes the file. The list is read after the files, so it contains each file whose new state
    // was read.
    let paths = written?.paths ?? []
    plan.adopt(paths, from: next)
    valid?.adopt(paths, from: next)
    return next
  }

  private func words(for scope: WatchedPlan.Scope) -> String {
    if case .steps(let steps) = scope { "\(steps.count) of \(plan.stepCount) steps" } else { "everything" }
  }

  /// Returns up to three names, and the number of further names.
  private static func shown(_ names: [String]) -> String {
    names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
  }

  /// Returns the names of changed files for a message.
  private func shown(_ paths: Set<String>) -> String { Self.shown(paths.map { plan.name(of: $0) }.sorted()) }

  /// Returns a sentence about changed files, such as `a.yaml has changed`. If none of the files exists any more, the sentence says that
  /// they were deleted.
  private func sentence(about paths: Set<String>) -> String {
    let isDeletion = paths.allSatisfy(plan.isDeleted)
    let verb = paths.count == 1 ? (isDeletion ? "was deleted" : "has changed") : isDeletion ? "were deleted" : "have changed"
    return "\(shown(paths)) \(verb)"
  }

  // MARK: Runs

  private mutating func start(_ scope: WatchedPlan.Scope) throws {
    // With mistakes the run ends at once.
    running = plan.isValid ? scope : .nothing
    var arguments = ["/proc/self/exe", "run"]
    if let memory { arguments.append("--watched=\(memory)") }
    if let written { arguments.append("--written=\(written.descriptor)") }
    if case .steps(let steps) = scope { arguments += steps.map { "--affected=\($0)" } }
    arguments += words
    let pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let path = input.standardInputPath { posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, path, O_RDONLY, 0) }
    var started = pid_t()
    let code = DescriptorLimit.asInherited { posix_spawn(&started, "/proc/self/exe", &actions, nil, pointers, environ) }
    guard code == 0 else { throw CommandFailure.local("the run can't be started: \(String(cString: strerror(code)))") }
    child = started
  }

  /// Checks whether the process of the current run has ended. If it has, and steps must run again because files changed during the run,
  /// starts the next run.
  ///
  /// - Returns: the exit status if the ended run was refused for a mistake that no change of a file can correct, such as an unknown option;
  ///   otherwise nil.
  private mutating func reap() throws -> Int32? {
    guard let ended = child else { return nil }
    var status: Int32 = 0
    guard waitpid(ended, &status, WNOHANG) == ended else { return nil }
    child = nil
    if Self.isRefusal(status), let memory, WatchMemory.isEnd(in: memory) { return 2 }
    if let written, !written.paths.isEmpty {
      _ = readPlan()
      written.empty()
    }
    refused = Self.isRefusal(status) ? (refused ?? running).union(running) : nil
    if let scope = waiting {
      waiting = nil
      note("\(sentence(about: changedMeanwhile)): running \(words(for: scope))")
      changedMeanwhile = []
      try start(scope)
      return nil
    }
    note(Self.waiting(for: plan))
    return nil
  }

  private static func waiting(for plan: WatchedPlan) -> String {
    let changes = "changes of \(plan.count) file\(plan.count == 1 ? "" : "s")"
    guard !plan.missing.isEmpty else { return "Waiting for \(changes). Ctrl-C ends." }
    let others = plan.count == 0 ? "" : ", and for \(changes)"
    return "Waiting for \(Self.shown(plan.missing)) to be created\(others). Ctrl-C ends."
  }

  /// Whether a run ended with the exit status 2. Such a run has sent nothing, because the documents have mistakes or values are missing.
  private static func isRefusal(_ status: Int32) -> Bool { status & 0x7F == 0 && (status >> 8) & 0xFF == 2 }

  /// Passes the signal to the current run, and waits until the run has ended, including its cleanups. Returns the exit status for the
  /// signal.
  private mutating func end(_ signal: Int32) -> Int32 {
    if let child {
      kill(child, signal)
      var status: Int32 = 0
      while waitpid(child, &status, WNOHANG) == 0 {
        var ready = pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&ready, 1, -1)
        for next in signals.take() where next != SIGCHLD { kill(child, next) }
      }
    }
    return 128 + signal
  }

  /// Returns the steps that must run after a change.
  ///
  /// If the documents now have mistakes, all steps must run. Otherwise, the documents are compared with an earlier state:
  ///
  /// - the state before the change, if its documents had no mistakes or if ``valid`` is nil;
  /// - otherwise ``valid``, the last state without mistakes.
  private mutating func scope(of changed: Set<String>, since earlier: WatchedPlan) -> WatchedPlan.Scope {
    guard plan.isValid else {
      let hasRun = waiting == nil && (child == nil || running == .nothing)
      if earlier.isValid { valid = hasRun ? earlier : nil }
      return .everything
    }
    defer { valid = nil }
    guard !earlier.isValid, let valid else { return plan.scope(of: changed, since: earlier) }
    return plan.scope(of: plan.changes(since: valid), since: valid)
  }

  private func note(_ words: String) {
    if !command.output.quiet { terminal.note(StyledText(words + "\n", .dim)) }
  }
}
