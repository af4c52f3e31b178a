/// The fixes of many diagnostics that can be applied together without asking the user.
///
/// A fix is selected if all of these conditions are met:
/// - It is the only fix of its diagnostic.
/// - It is not a choice (``Diagnostic/Help/isChoice``).
/// - No other diagnostic suggests a different change of the same range.
///
/// If fixes that meet these conditions overlap or touch each other, only the first of these fixes is selected. After the first fix has been
/// applied, the diagnostics of the changed text may suggest the other fixes again.
package struct FixSelection: Sendable {
  /// The selected fixes, ordered by file and position.
  package private(set) var fixes: [ProposedFix] = []

  /// Selects the fixes that can be applied together without asking the user.
  ///
  /// - Parameters:
  ///   - diagnostics: The diagnostics of all files.
  ///   - path: Returns the path of a file; nil if the file cannot be changed.
  package init(_ diagnostics: [Diagnostic], path: (SourceFile) -> String?) {
    var candidates: [ProposedFix.Place: ProposedFix] = [:]
    var contested: Set<ProposedFix.Place> = []
    for diagnostic in diagnostics {
      let proposed = ProposedFix.all(of: diagnostic, path: path)
      guard proposed.count == 1, let only = proposed.first, !diagnostic.helps.contains(where: { $0.fix != nil && $0.isChoice }) else {
        contested.formUnion(proposed.map(\.place))
        continue
      }
      if let other = candidates[only.place], other.fix.replacement != only.fix.replacement { contested.insert(only.place) }
      candidates[only.place] = candidates[only.place] ?? only
    }
    var ends: [String: Int] = [:]
    let ordered = candidates.values.filter { !contested.contains($0.place) }.sorted { left, right in
      left.path != right.path ? left.path < right.path : Self.isBefore(left.place.offsets, right.place.offsets)
    }
    for candidate in ordered {
      let offsets = candidate.place.offsets
      if let end = ends[candidate.path], offsets.lowerBound <= end { continue }
      ends[candidate.path] = offsets.upperBound
      fixes.append(candidate)
    }
  }

  private static func isBefore(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
    left.lowerBound != right.lowerBound ? left.lowerBound < right.lowerBound : left.upperBound < right.upperBound
  }
}
