import GarlandDiagnostics
import GarlandJSON
import GarlandResults

/// What a page says of a run as a whole.
struct PageHead {
  let start: RunStart?
  let summary: RunSummary
  let hostname: String?
  let generator: String
  let mask: Mask

  /// What is read without a script.
  var head: PageWriter.Head {
    let isGood = summary.exitStatus == 0
    let names = self.names
    return PageWriter.Head(
      title: "\(isGood ? "✓" : "✗") \(heading) · \(names)", heading: heading, facts: facts, isGood: isGood, generator: generator)
  }

  /// The verdict: `3 of 28 steps failed`.
  private var heading: String {
    if summary.refusal != nil { return "The run did not begin" }
    let counts = summary.counts
    let total = counts.values.reduce(0, +) + summary.allowedFailures
    let wrong = [Outcome.failed, .error, .unreachable].compactMap { outcome in
      counts[outcome].map { count in
        let word = outcome == .error ? (count == 1 ? "error" : "errors") : outcome.rawValue
        return "\(Readable.count(count)) \(word)"
      }
    }
    let stopped = summary.interruptedBy.map { "interrupted by \($0)" } ?? summary.stoppedEarly.map(mask.line)
    if !wrong.isEmpty { return wrong.joined(separator: ", ") + (stopped.map { " – \($0)" } ?? "") }
    if let stopped { return stopped.prefix(1).uppercased() + stopped.dropFirst() }
    if !summary.fileErrors.isEmpty { return "All passed, but a file could not be written" }
    if total == 0 { return "Nothing to do" }
    let passed = counts[.passed, default: 0]
    guard passed == total else { return "\(Readable.count(passed)) of \(Readable.count(total)) passed, none failed" }
    return total == 1 ? "1 step passed" : "All \(Readable.count(total)) passed"
  }

  private var names: String {
    var files: [String] = []
    for step in start?.steps ?? [] where files.last != step.file { files.append(step.file) }
    return files.count > 3 || files.isEmpty ? Readable.count(files.count, "document") : files.map(mask.line).joined(separator: ", ")
  }

  private var facts: [String] {
    var facts = [names]
    if let start, start.startedAt > 0 { facts.append(Timestamp.readable(start.startedAt)) }
    if summary.wallTime > .zero {
      var words = "\(Readable.count(summary.requestCount, "request")) in \(Readable.duration(summary.wallTime))"
      let (wall, sum) = (Readable.microseconds(summary.wallTime), Readable.microseconds(summary.sumOfStepTimes))
      if sum * 10 >= wall * 11 {
        words += " (\(Readable.duration(summary.sumOfStepTimes)) one after another: \(sum / max(1, wall)).\(sum * 10 / max(1, wall) % 10)×)"
      }
      facts.append(words)
    }
    if let hostname, !hostname.isEmpty { facts.append(mask.line(hostname)) }
    if let id = start?.runID, !id.isEmpty { facts.append("run \(mask.line(id))") }
    facts.append("exit status \(summary.exitStatus)")
    return facts
  }

  /// Members of the index, as JSON without the brackets around them.
  func members(omittedNotices: Int) -> [UInt8] {
    var writer = JSONWriter(mask: mask)
    writer.object { json in
      json.member("generator", generator)
      json.member("wall", Readable.microseconds(summary.wallTime))
      json.member("concurrency", start?.concurrency ?? 0)
      if omittedNotices > 0 { json.member("omittedNotices", omittedNotices) }
    }
    return Array(writer.bytes.dropFirst().dropLast())
  }
}
