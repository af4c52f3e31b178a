/// The nearest of several names, for "did you mean …?".
public enum Suggestion {
  /// The candidate that is a typing error away from `name`, or nil if none is near.
  ///
  /// Insertions, deletions, replacements and swaps of neighbours count one each, another case or `-` for `_` nothing. Near is a third of the
  /// shorter name's length, at least one. Of equally near ones the one that agrees in case wins, then the first.
  ///
  /// Of very many candidates, as a server may send them, only the first are looked at.
  ///
  /// - Parameters:
  ///   - name: what was written.
  ///   - candidates: what could have been meant.
  public static func nearest(to name: String, in candidates: some Sequence<String>) -> String? {
    let exact = Array(name.unicodeScalars)
    // Nobody mistypes a name of a thousand letters by a few.
    guard exact.count <= 200 else { return nil }
    let folded = fold(name)
    var best: (candidate: String, distance: Int, exactDistance: Int)?
    var work = 0
    for candidate in candidates where candidate != name {
      work += 64
      guard work < mostWork else { break }
      // Folding a name changes its length by a few bytes a letter at most.
      guard candidate.utf8.count <= 16 * exact.count + 16 else { continue }
      let other = fold(candidate)
      let limit = max(1, min(folded.count, other.count) / 3)
      guard abs(folded.count - other.count) <= limit, min(folded.count, other.count) > 0 else { continue }
      work += folded.count * other.count
      let distance = distance(folded, other, limit: limit)
      // One letter for another is no typing error when nothing else is left to recognise the name by.
      guard distance <= limit, distance < max(folded.count, other.count) else { continue }
      if let best, best.distance < distance { continue }
      let exactDistance = self.distance(exact, Array(candidate.unicodeScalars), limit: .max)
      if let best, (best.distance, best.exactDistance) <= (distance, exactDistance) { continue }
      best = (candidate, distance, exactDistance)
    }
    return best?.candidate
  }

  /// How many letters are compared at most: some ten milliseconds' worth.
  private static let mostWork = 2_000_000

  private static func fold(_ name: String) -> [Unicode.Scalar] {
    name.lowercased().unicodeScalars.map { $0 == "-" ? "_" : $0 }
  }

  /// Optimal string alignment: edits and swaps of neighbours. Above `limit` any larger number.
  static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar], limit: Int) -> Int {
    var before = [Int](repeating: 0, count: right.count + 1)
    var previous = Array(0...right.count)
    var current = previous
    for row in 0..<left.count {
      current[0] = row + 1
      var smallest = current[0]
      for column in 0..<right.count {
        var cost = min(
          previous[column + 1] + 1, current[column] + 1, previous[column] + (left[row] == right[column] ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, before[column - 1] + 1)
        }
        current[column + 1] = cost
        smallest = min(smallest, cost)
      }
      guard smallest <= limit else { return smallest }
      (before, previous, current) = (previous, current, before)
    }
    return previous[right.count]
  }
}
