import Synchronization

/// Keeps the records of the latest requests. The event loop writes them, and any thread may read them.
final class Recorder: Sendable {
  private struct Storage {
    var records: [SandboxRecord] = []
    /// The sequence number of the first record that is still kept.
    var first = 1
    var next = 1
    var inFlight = 0
    var peakInFlight = 0
  }

  private let limit: Int
  private let storage = Mutex(Storage())

  init(limit: Int) { self.limit = max(1, limit) }

  var records: [SandboxRecord] { storage.withLock { Array($0.records.suffix(limit)) } }

  /// The number of all requests since the start of the server (`total`), the number of requests that currently have no complete response
  /// (`inFlight`), and the maximum of `inFlight` so far (`peakInFlight`).
  var counts: (total: Int, inFlight: Int, peakInFlight: Int) {
    storage.withLock { ($0.next - 1, $0.inFlight, $0.peakInFlight) }
  }

  func clear() {
    storage.withLock { storage in
      storage.records.removeAll()
      storage.first = storage.next
    }
  }

  func nextSequence() -> Int {
    storage.withLock { storage in
      storage.next += 1
      return storage.next - 1
    }
  }

  /// Adds the record of a request that has just arrived.
  func begin(_ request: SandboxRequest) {
    let record = SandboxRecord(
      sequence: request.sequence, connection: request.connection.id, tenant: request.tenant, method: request.method, target: request.target,
      version: request.version, headers: request.headers, arrived: request.arrived)
    storage.withLock { storage in
      storage.inFlight += 1
      storage.peakInFlight = max(storage.peakInFlight, storage.inFlight)
      // Removes many records at once, since removing a single record from the front of the array would move all others.
      if storage.records.count >= limit + limit / 4 + 1 {
        let surplus = storage.records.count - limit
        storage.records.removeFirst(surplus)
        storage.first += surplus
      }
      storage.records.append(record)
    }
  }

  func receivedBody(_ sequence: Int, _ body: SandboxRecord.Body) {
    update(sequence) { $0.body = body }
  }

  func end(_ sequence: Int, at time: Duration, status: Int?, outcome: SandboxRecord.Outcome) {
    storage.withLock { $0.inFlight -= 1 }
    update(sequence) { record in
      record.finished = time
      record.status = status
      record.outcome = outcome
    }
  }

  private func update(_ sequence: Int, _ change: (inout SandboxRecord) -> Void) {
    storage.withLock { storage in
      let index = sequence - storage.first
      guard storage.records.indices.contains(index) else { return }
      change(&storage.records[index])
    }
  }
}
