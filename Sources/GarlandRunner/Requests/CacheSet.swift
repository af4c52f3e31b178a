import GarlandTransfer
import Synchronization

/// The caches of a run: one in memory for each document, and one for each folder.
final class CacheSet: Sendable {
  private struct State {
    var memory: [Int: ResponseCache] = [:]
    var folders: [String: ResponseCache] = [:]
  }

  private let state = Mutex(State())

  /// The cache that a document's steps share while it runs.
  func memory(of document: Int) -> ResponseCache {
    state.withLock { state in
      if let cache = state.memory[document] { return cache }
      let cache = ResponseCache()
      state.memory[document] = cache
      return cache
    }
  }

  /// The cache in a folder, which is made if it is not there. Throws why it can't be used.
  func cache(inFolder path: String) throws(NetworkingError) -> ResponseCache {
    if let cache = state.withLock({ $0.folders[path] }) { return cache }
    let cache = try ResponseCache(directory: path)
    return state.withLock { state in
      if let known = state.folders[path] { return known }
      state.folders[path] = cache
      return cache
    }
  }
}
