import GarlandAuth
import GarlandJSON
import GarlandPlanner
import GarlandRunner
import Glibc

/// The values that one run of `garland run --watch` passes to the next run: tokens, and the extracts of steps.
///
/// The values are stored in an unnamed file in memory, which disappears when all processes that have it open have ended.
struct WatchMemory {
  private let descriptor: Int32
  private var steps: [String: KeptStep] = [:]
  private let knownTokens: [String: TokenSet]
  private var cache: MemoryTokenCache?

  /// Creates the file that passes values from one run to the next run, and returns its descriptor. Child processes inherit this descriptor.
  /// Returns nil if the file can't be created; the runs then pass no values.
  static func makeFile() -> Int32? {
    let name = "/garland-watch-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    let descriptor = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
    guard descriptor >= 0 else { return nil }
    shm_unlink(name)
    // `shm_open` closes it in child processes.
    _ = fcntl(descriptor, F_SETFD, 0)
    return descriptor
  }

  /// Writes the names of the changed files to the file `descriptor`. The changes cancel the current run, which reads these names and
  /// reports them as the reason.
  static func write(change files: String, to descriptor: Int32) { write(["change": .string(files)], to: descriptor) }

  /// Writes a mark to the file `descriptor`, so that `--watch` ends. Called if the run was refused because of a mistake outside of all
  /// files, for example on the command line.
  static func writeEnd(to descriptor: Int32) { write(["end": true], to: descriptor) }

  /// Whether the file with this descriptor has the mark that ``writeEnd(to:)`` writes. The mark means that the last run was refused for a
  /// mistake outside of all files, for example in the command line.
  static func isEnd(in descriptor: Int32) -> Bool { (try? JSONValue(parsing: read(descriptor)))?["end"] == true }

  private static func write(_ value: JSONValue, to descriptor: Int32) {
    let bytes = value.jsonBytes()
    ftruncate(descriptor, 0)
    _ = pwrite(descriptor, bytes, bytes.count, 0)
  }

  /// Returns the names of the changed files if the changes have cancelled the current run; nil if the user has cancelled the run.
  /// `descriptor` is the descriptor of the memory file.
  static func change(in descriptor: Int32) -> String? {
    (try? JSONValue(parsing: read(descriptor)))?["change"]?.stringValue
  }

  /// Reads the file in which earlier runs have stored tokens and values of steps. Then empties the file, so that it contains no old values
  /// if this run ends early.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let value = try? JSONValue(parsing: Self.read(descriptor))
    ftruncate(descriptor, 0)
    for (address, json) in value?["steps"]?.objectValue ?? [:] { steps[address] = KeptStep(json) }
    knownTokens = (value?["tokens"]?.objectValue ?? [:]).reduce(into: [:]) { tokens, member in
      tokens[member.key] = TokenSet(member.value)
    }
  }

  /// Returns the whole content of the in-memory file `descriptor`.
  static func read(_ descriptor: Int32) -> [UInt8] {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_size > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: Int(facts.st_size))
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(0, count)))
  }

  /// Returns the values that steps have extracted in earlier runs. The next run uses these values, so that it does not send the requests of
  /// these steps again.
  ///
  /// - Parameter changed: The steps that must run again, in the form `FILE#ID`. If the list is empty, all steps must run again.
  mutating func values(for plan: Plan, changed: [String]) -> [String: KeptStep] {
    if changed.isEmpty { steps = [:] }
    for address in changed { steps[address] = nil }
    let given = steps
    // The values of these steps are stored again at the end of the run.
    for planned in plan.steps { steps[planned.address] = nil }
    return given
  }

  /// Returns the token cache for a run. The cache keeps tokens in memory for the next run.
  ///
  /// - Parameter other: the cache that a run without `--watch` would use; its tokens take precedence over the tokens in memory.
  mutating func tokens(over other: (any TokenCache)?) -> any TokenCache {
    let cache = MemoryTokenCache(knownTokens, over: other)
    self.cache = cache
    return cache
  }

  /// Writes the tokens and the extracts of steps to the file, for the next run.
  ///
  /// - Parameter kept: the extracts of the steps of this run. They replace the extracts of the same steps from earlier runs.
  func write(_ kept: [String: KeptStep]) {
    let all = steps.merging(kept) { $1 }
    let tokens = cache?.all ?? knownTokens
    let value: JSONValue = [
      "steps": .object(JSONObject(all.map { ($0.key, $0.value.json) })),
      "tokens": .object(JSONObject(tokens.map { ($0.key, $0.value.json) })),
    ]
    let bytes = value.jsonBytes()
    ftruncate(descriptor, 0)
    // An incomplete file is not read.
    guard pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else {
      ftruncate(descriptor, 0)
      return
    }
  }
}
