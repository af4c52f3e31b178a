import NIOCore
import Synchronization

/// The open connections of the server. The registry limits their number, and closes all of them when the server stops.
final class ConnectionRegistry: Sendable {
  private struct Storage {
    var channels: [Int: any Channel] = [:]
    var counts = SandboxConnections()
    var isClosed = false
  }

  private let limit: Int
  private let storage = Mutex(Storage())

  init(limit: Int) { self.limit = limit }

  var counts: SandboxConnections { storage.withLock { $0.counts } }

  /// Adds a connection and returns its number. Returns nil if too many connections are open, or if the server is being stopped.
  func add(_ channel: any Channel) -> Int? {
    storage.withLock { storage in
      guard storage.channels.count < limit, !storage.isClosed else {
        storage.counts.refused += 1
        return nil
      }
      storage.counts.accepted += 1
      storage.channels[storage.counts.accepted] = channel
      storage.counts.open = storage.channels.count
      storage.counts.peak = max(storage.counts.peak, storage.counts.open)
      return storage.counts.accepted
    }
  }

  func remove(_ id: Int) {
    storage.withLock { storage in
      storage.channels[id] = nil
      storage.counts.open = storage.channels.count
    }
  }

  /// Rejects further connections, and returns the open ones.
  func close() -> [any Channel] {
    storage.withLock { storage in
      storage.isClosed = true
      return Array(storage.channels.values)
    }
  }
}
