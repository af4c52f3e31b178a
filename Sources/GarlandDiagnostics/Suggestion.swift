/// Finds the name that is most similar to a given name, for "did you mean …?".
public enum Suggestion {
  /// Returns the candidate of which `name` is probably a misspelling; nil if no candidate is similar, or if there is no single best
  /// candidate.
  ///
  /// Each insertion, deletion or replacement of a letter counts as one difference, and so does an exchange of two neighbouring letters.
  /// Upper and lower case count as equal, and so do `-` and `_`. A candidate is similar if it has at most one difference for every three
  /// letters of the shorter name; one difference is always allowed. If several candidates have the same number of differences, case, `-`
  /// and `_` are compared too, to find the best one.
  ///
  /// If there are very many candidates, as in the response of a server, only the first ones are compared.
  ///
  /// - Parameters:
  ///   - name: The name that was written.
  ///   - candidates: The valid names.
  public static func nearest(to name: String, in candidates: some Sequence<String>) -> String? {
    let nearest = allNearest(to: name, in: candidates)
    return nearest.count == 1 ? nearest[0] : nil
  }

  /// Returns the candidates that are most similar to `name`, in the order in which they were given; empty if no candidate is similar.
  ///
  /// The result has several candidates if they are equally similar, so that it is unknown which one the user meant. The parameters are
  /// those of ``nearest(to:in:)``.
  public static func allNearest(to name: String, in candidates: some Sequence<String>) -> [String] {
    let exact = Array(name.unicodeScalars)
    // A name of more than 200 letters is not a typing error.
    guard exact.count <= 200 else { return [] }
    let folded = fold(name)
    var best: (candidates: [String], distance: Int, exactDistance: Int)?
    var work = 0
    for candidate in candidates where candidate != name {
      work += 64
      guard work < mostWork else { break }
      // Folding a name changes its length by at most a few bytes for each letter.
      guard candidate.utf8.count <= 16 * exact.count + 16 else { continue }
      let other = fold(candidate)
      let limit = max(1, min(folded.count, other.count) / 3)
      guard abs(folded.count - other.count) <= limit, min(folded.count, other.count) > 0 else { continue }
      work += folded.count * other.count
      let distance = distance(folded, other, limit: limit)
      // A name in which every letter was replaced is not a typing error.
      guard distance <= limit, distance < max(folded.count, other.count) else { continue }
      if let best, best.distance < distance { continue }
      let exactDistance = self.distance(exact, Array(candidate.unicodeScalars), limit: .max)
      if let best, (best.distance, best.exactDistance) < (distance, exactDistance) { continue }
      let isTie = best?.distance == distance && best?.exactDistance == exactDistance
      best = ((isTie ? best?.candidates ?? [] : []) + [candidate], distance, exactDistance)
    }
    return best?.candidates ?? []
  }

  /// The maximum number of letter comparisons in one search. This many comparisons take about ten milliseconds.
  private static let mostWork = 2_000_000

  private static func fold(_ name: String) -> [Unicode.Scalar] {
    name.lowercased().unicodeScalars.map { $0 == "-" ? "_" : $0 }
  }

  /// Returns the optimal string alignment distance: the minimum number of edits that turn `left` into `right`. An edit inserts, deletes or
  /// replaces a character, or swaps two adjacent characters. If the distance is above `limit`, the result is any number above `limit`.
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
