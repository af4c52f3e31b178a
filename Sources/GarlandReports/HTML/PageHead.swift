import GarlandJSON
import GarlandResults

/// The data about the whole run, not about single steps, that an HTML page shows.
struct PageHead {
  let start: RunStart?
  let summary: RunSummary
  let hostname: String?
  let generator: String
  let mask: Mask
  /// The origins (scheme, host and port) to which the run sent requests, by their numbers in ``PageOrigins``.
  let origins: [Int: String]

  /// The head of the page: title, heading and main facts. It is readable without a script.
  var head: PageWriter.Head {
    let headline = RunHeadline(start: start, summary: summary, hostname: hostname, mask: mask)
    let heading = headline.heading
    let names = headline.names.isEmpty ? "" : " · \(headline.names)"
    var head = PageWriter.Head(
      title: "\(headline.isGood ? "✓" : "✗") \(heading)\(names)", heading: heading, facts: headline.facts,
      isGood: headline.isGood, generator: generator)
    if let load = summary.load, let start {
      let figures = LoadFigures(load: load, steps: start.steps, label: StepLabel(mask: mask, namesFile: false))
      head.figures = [LoadFigures.columns] + figures.rows.map(\.cells)
      head.remarks = [LoadFigures.summary(of: load), figures.explanation] + figures.errors
      head.remarks += figures.expectations.map { "\($0.isMet ? "✓" : "✗") \($0.words)" }
    }
    return head
  }

  /// Returns the data about the whole run, such as its duration, for the page's script: members of a JSON object, without the surrounding
  /// braces.
  func members(omittedNotices: Int) -> [UInt8] {
    var writer = JSONWriter(mask: mask)
    writer.object { json in
      json.member("generator", generator)
      json.member("wall", Readable.microseconds(summary.wallTime))
      json.member("concurrency", start?.concurrency ?? 0)
      json.member("perOrigin", start?.perOrigin ?? 0)
      json.member("isSerial", start?.isSerial ?? false)
      json.object("origins") { json in
        for (number, name) in origins.sorted(by: { $0.key < $1.key }) { json.member(named: "\(number)", .string(mask.text(name))) }
      }
      if omittedNotices > 0 { json.member("omittedNotices", omittedNotices) }
    }
    return Array(writer.bytes.dropFirst().dropLast())
  }
}
