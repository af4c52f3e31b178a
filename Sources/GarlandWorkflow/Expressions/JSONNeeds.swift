package import GarlandJSON

/// The parts of a response's JSON that other steps use.
package enum JSONNeeds: Sendable, Hashable {
  /// Only the values at these paths. All paths are singular and use no negative index, and no path is the beginning of another.
  case paths([[JSONPathElement]])
  /// Possibly the whole JSON.
  case everything

  /// The maximum number of paths; with more paths, the whole JSON is kept.
  private static let limit = 64

  /// Adds a path; an empty path stands for the whole JSON.
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
