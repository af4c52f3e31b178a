import GarlandJSON
import GarlandResults

/// Writes the steps of a run or a plan in the form that the page's script reads.
struct PagePlan {
  private let start: RunStart?
  private let format: ResultJSON
  private let index: PageIndex
  private var files: [String] = []
  private var names: [String] = []

  init(_ start: RunStart?, format: ResultJSON, index: PageIndex) {
    self.start = start
    self.format = format
    self.index = index
    for step in start?.steps ?? [] where files.last != step.file {
      files.append(step.file)
      names.append(step.workflowName ?? "")
    }
  }

  /// Writes each step, with its definition in the workflow file, as an entry of the page's
  /// compressed blocks.
  func writeDefinitions(to page: PageWriter) {
    guard let start else { return }
    for (place, step) in start.steps.enumerated() {
      let source = place < start.sources.count ? start.sources[place] : nil
      let dependencies = place < start.dependencies.count ? start.dependencies[place] : []
      page.add(format.step(step, dependencies: dependencies, source: source), to: "s")
    }
    page.endBlock()
  }

  private func list(_ name: StaticString, _ texts: [String], in page: PageWriter) {
    page.beginList(name)
    for text in texts { page.line(Array(JSONValue.string(index.mask.text(text)).jsonText().utf8)) }
    page.endList()
  }

  /// Writes the lists of the index that describe the plan: `files`, `names` (the names of the
  /// workflows) and `steps`.
  func writeSteps(to page: PageWriter) {
    list("files", files, in: page)
    list("names", names, in: page)
    page.beginList("steps")
    var file = -1
    var last: String?
    for (place, step) in (start?.steps ?? []).enumerated() {
      if step.file != last {
        file += 1
        last = step.file
      }
      let dependencies = start.map { place < $0.dependencies.count ? $0.dependencies[place] : [] } ?? []
      page.line(index.step(step, file: file, dependencies: dependencies))
    }
    page.endList()
  }
}
