import GarlandTransfer
import Synchronization

/// The response caches of a run: a cache in memory for each document, and a cache on disk for each folder that `cache:` names.
final class CacheSet: Sendable {
  private struct State {
    var memory: [Int: ResponseCache] = [:]
    var folders: [String: ResponseCache] = [:]
  }

  private let state = Mutex(State())

  /// Returns the cache that a document's steps share during the run.
  func memory(of document: Int) -> ResponseCache {
    state.withLock { state in
      if let cache = state.memory[document] { return cache }
      let cache = ResponseCache()
      state.memory[document] = cache
      return cache
    }
  }

  /// Returns the cache that stores responses in a folder. A missing folder is created. Throws an
  /// error if the folder can't be used.
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
