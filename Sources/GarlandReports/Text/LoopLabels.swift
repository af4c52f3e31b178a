import GarlandDiagnostics
import GarlandResults

/// Shortens the names of loop items for a terminal. A beginning or an end that is the same in all labels so far is replaced by `…`.
///
/// ```
/// each_customer […n-region-17-with-or…]
/// ```
struct LoopLabels {
  /// The first label of a loop's items, and the lengths in characters of the prefix and the suffix that all labels of these items have in
  /// common.
  private struct Common {
    var first: [Character]
    var start: Int
    var end: Int
  }

  /// The maximum number of letters and digits that are added on each side of the differing part of a label, so that whole words are shown.
  private static let longestWord = 12

  private var loops: [Int: Common] = [:]

  mutating func receive(_ event: RunEvent, mask: Mask) {
    switch event {
    case .stepStarted(let step, let start): if let label = start.iteration { add(mask.line(label), ofStep: step.index) }
    case .stepEnded(let result): if let label = result.iteration { add(mask.line(label), ofStep: result.step.index) }
    default: break
    }
  }

  /// Adds the label of a loop item. The label must already be masked.
  private mutating func add(_ label: String, ofStep step: Int) {
    let characters = Array(label)
    guard var common = loops[step] else {
      loops[step] = Common(first: characters, start: characters.count, end: characters.count)
      return
    }
    guard common.start > 0 || common.end > 0 else { return }
    common.start = min(common.start, zip(common.first, characters).prefix { $0 == $1 }.count)
    common.end = min(common.end, zip(common.first.reversed(), characters.reversed()).prefix { $0 == $1 }.count)
    loops[step] = common
  }

  /// Cuts the name of an item, such as `each [tenant=acme]`, to a width.
  ///
  /// - Parameters:
  ///   - name: the name, in which secrets were already masked.
  ///   - label: the label of the item, in which secrets were already masked; nil without a loop.
  ///   - step: the index of the step.
  ///   - width: the maximum number of columns.
  func shortened(_ name: String, label: String?, ofStep step: Int, to width: Int) -> String {
    guard DisplayWidth.of(name) > width else { return name }
    guard let label, let common = loops[step], common.start < common.first.count, name.hasSuffix(" [\(label)]") else {
      return StyledText(name).shortened(to: width).plain
    }
    let head = String(Substring(name.utf8.dropLast(label.utf8.count + 3)))
    let characters = Array(label)
    var part = Self.difference(in: characters, common)
    let headWidth = min(DisplayWidth.of(head), max(8, width - 3 - DisplayWidth.of(Self.text(part, of: characters))))
    let room = width - 3 - headWidth
    guard room >= 3 else { return StyledText(name).shortened(to: width).plain }
    var isWider = true
    while isWider {
      isWider = false
      for (low, high) in [(max(0, part.lowerBound - 1), part.upperBound), (part.lowerBound, min(characters.count, part.upperBound + 1))] {
        let wider = min(low, part.lowerBound)..<max(high, part.upperBound)
        guard wider != part, DisplayWidth.of(Self.text(wider, of: characters)) <= room else { continue }
        part = wider
        isWider = true
      }
    }
    let shown = StyledText(Self.text(part, of: characters)).shortened(to: room).plain
    return StyledText(head).shortened(to: headWidth).plain + " [\(shown)]"
  }

  /// Returns the range of that part of a label which differs from the labels of the other items, extended to whole words.
  private static func difference(in characters: [Character], _ common: Common) -> Range<Int> {
    func isWord(_ index: Int) -> Bool { characters[index].isLetter || characters[index].isNumber }
    var low = min(common.start, characters.count)
    var high = max(low, characters.count - common.end)
    for _ in 0..<longestWord where low > 0 && isWord(low - 1) { low -= 1 }
    for _ in 0..<longestWord where high < characters.count && isWord(high) { high += 1 }
    return low..<high
  }

  private static func text(_ part: Range<Int>, of characters: [Character]) -> String {
    (part.lowerBound > 0 ? "…" : "") + String(characters[part]) + (part.upperBound < characters.count ? "…" : "")
  }
}
