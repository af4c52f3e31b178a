package import GarlandJSON

/// The parts of a response's JSON body that must be stored, because other steps use them.
package enum JSONNeeds: Sendable, Hashable {
  /// Only the values at the given paths are used. A path selects at most one value and has no negative index. No path begins with another
  /// path of the list: a list with the path `a` does not contain `a.b`.
  case paths([[JSONPathElement]])
  /// Other steps may use any part of the JSON body.
  case everything

  /// The maximum number of paths whose values are stored. If other steps use values at more paths, the whole JSON body is stored.
  private static let limit = 64

  /// Adds the path of a value that another step uses. An empty path means the whole JSON body.
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
