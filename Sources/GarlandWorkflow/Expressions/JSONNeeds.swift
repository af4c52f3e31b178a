package import GarlandJSON

/// The parts of a response's JSON that other steps use.
package enum JSONNeeds: Sendable, Hashable {
  /// Only the values at these paths are used. All paths are singular and have no negative index, and no path is the beginning of another.
  case paths([[JSONPathElement]])
  /// The whole JSON may be used.
  case everything

  /// The maximum number of paths. If other steps use more paths, the whole JSON is kept.
  private static let limit = 64

  /// Adds a path. An empty path means the whole JSON.
  mutating func add(_ path: [JSONPathElement]) {
    guard case .paths(var paths) = self else { return }
    guard !path.isEmpty, paths.count < Self.limit else {
      self = .everything
      return
    }
    guard !paths.contains(where: { path.starts(with: $0) }) else { return }
    paths.removeAll { $0.starts(with: path) }
    paths.append(path)
    self = .paths(paths)
  }
}
