import GarlandNetworking
import Glibc
import Synchronization

// NetworkingBenchmark LAYER URL COUNT CONCURRENCY: prints what bare.c prints.

/// The CPU time of this process, of all its threads, in microseconds.
func processorTime() -> Int {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1_000_000 + Int(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
}

let arguments = CommandLine.arguments
guard arguments.count == 5, let count = Int(arguments[3]), let concurrency = Int(arguments[4]), count > 0, concurrency > 0 else {
  print("usage: NetworkingBenchmark engine|session|session-on-engine URL COUNT CONCURRENCY")
  exit(2)
}
let layer = arguments[1]
let url = arguments[2]

var configuration = SessionConfiguration.ephemeral
configuration.connectionsPerOrigin = concurrency
configuration.settings.tls.verifies = false
let session = Session(configuration)
let bytes = Atomic<Int>(0)
let failures = Atomic<Int>(0)

/// Sends so many requests, one after the other.
@Sendable func work(_ share: Int) async {
  for _ in 0..<share {
    do {
      let content: [UInt8]
      if layer == "engine" {
        var request = TransferRequest(url: url)
        request.settings = session.configuration.settings
        content = try await session.engine.response(for: request).bytes
      } else {
        content = try await session.request(url).validate().data
      }
      bytes.wrappingAdd(content.count, ordering: .relaxed)
    } catch {
      if failures.wrappingAdd(1, ordering: .relaxed).oldValue == 0 { print(error) }
    }
  }
}

@Sendable func all(_ total: Int) async {
  await withTaskGroup(of: Void.self) { group in
    for index in 0..<concurrency {
      let share = total / concurrency + (index < total % concurrency ? 1 : 0)
      if layer == "session-on-engine" {
        group.addTask(executorPreference: session.engine.taskExecutor) { await work(share) }
      } else {
        group.addTask { await work(share) }
      }
    }
  }
}

// Connections are made, and whatever is made once, before the clock runs.
await all(concurrency * 4)
bytes.store(0, ordering: .relaxed)
let start = processorTime()
await all(count)
let used = processorTime() - start
print("\(used) \(bytes.load(ordering: .relaxed)) \(failures.load(ordering: .relaxed))")
session.engine.shutDown()
