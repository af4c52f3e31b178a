package import GarlandJSON

/// The parts of a response's JSON that other steps use.
package enum JSONNeeds: Sendable, Hashable {
  /// Only the values at these paths, none of which leads to a part of another's value. All of them
  /// are singular and count from the start.
  case paths([[JSONPathElement]])
  /// Perhaps all of it.
  case everything

  /// Above this many paths the whole is kept.
  private static let limit = 64

  /// Adds one more path; an empty path is the whole.
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
