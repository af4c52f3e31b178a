/// A path with placeholders: `/books/{id}/cover`. A final `{rest...}` matches any number of segments.
struct RoutePattern: Sendable {
  enum Piece: Hashable, Sendable {
    case literal(String)
    case placeholder(String)
    case rest(String)
  }

  let path: String
  let pieces: [Piece]

  init(_ path: String) {
    self.path = path
    pieces = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { piece in
      guard piece.hasPrefix("{"), piece.hasSuffix("}") else { return .literal(String(piece)) }
      let name = piece.dropFirst().dropLast()
      return name.hasSuffix("...") ? .rest(String(name.dropLast(3))) : .placeholder(String(name))
    }
  }

  /// Returns the values of the placeholders, or nil if the path does not match. A placeholder
  /// matches at least one character.
  func match(_ segments: [String]) -> [String: String]? {
    var parameters: [String: String] = [:]
    for (index, piece) in pieces.enumerated() {
      if case .rest(let name) = piece {
        guard index < segments.count else { return nil }
        parameters[name] = segments[index...].joined(separator: "/")
        return parameters
      }
      guard index < segments.count else { return nil }
      switch piece {
      case .literal(let text): guard segments[index] == text else { return nil }
      case .placeholder(let name):
        guard !segments[index].isEmpty else { return nil }
        parameters[name] = segments[index]
      case .rest: return nil
      }
    }
    return segments.count == pieces.count ? parameters : nil
  }
}
