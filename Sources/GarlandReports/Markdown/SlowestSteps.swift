import GarlandResults

/// A table of the slowest results of a run.
struct SlowestSteps {
  private struct Entry {
    let name: String
    let action: String
    let duration: Duration
    let place: Spool.Key
  }

  private var entries: [Entry] = []
  private var total = 0
  private static let most = 10

  mutating func count(_ result: StepResult, _ label: StepLabel) {
    total += 1
    let duration = Duration.microseconds(Readable.microseconds(result.duration))
    guard duration > .zero, entries.count < Self.most || entries.last.map({ duration >= $0.duration }) == true else { return }
    let place = Spool.Key(step: result.step.index, iteration: result.iterationIndex ?? 0)
    // If two steps have the same duration, the first step of the plan comes first, regardless of the order in which they ended.
    let index = entries.firstIndex { $0.duration < duration || ($0.duration == duration && place < $0.place) } ?? entries.count
    guard index < Self.most else { return }
    let name = label.name(result.step, iteration: result.iteration)
    entries.insert(Entry(name: name, action: label.action(result), duration: duration, place: place), at: index)
    if entries.count > Self.most { entries.removeLast() }
  }

  /// The table as Markdown. It is empty for a run with few steps.
  var table: String {
    guard total > 3, !entries.isEmpty else { return "" }
    var text = "### Slowest\n\n| step | request | time |\n| --- | --- | ---: |\n"
    for entry in entries {
      let action = String(entry.action.prefix(Self.longestAction))
      text += "| \(MarkdownText.code(entry.name)) | \(MarkdownText.code(action)) | \(Readable.duration(entry.duration)) |\n"
    }
    return text + "\n"
  }

  private static let longestAction = 300
}
