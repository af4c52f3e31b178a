import GarlandResults

/// Describes a run as a whole in words, for the head of a report: its outcome, documents, times and exit status.
struct RunHeadline {
  let start: RunStart?
  let summary: RunSummary
  let hostname: String?
  let mask: Mask

  /// Whether the run was successful, so that its exit status is 0.
  var isGood: Bool { summary.exitStatus == 0 }

  /// The outcome of the run in words, such as `3 failed, 1 error` or `All 28 passed`.
  var heading: String {
    if summary.refusal != nil { return "The run did not begin" }
    let counts = summary.counts
    let total = counts.values.reduce(0, +) + summary.allowedFailures + summary.quarantined
    let wrong = [Outcome.failed, .error, .unreachable].compactMap { outcome in
      counts[outcome].map { count in
        let word = outcome == .error ? (count == 1 ? "error" : "errors") : outcome.rawValue
        return "\(Readable.count(count)) \(word)"
      }
    }
    let stopped = (summary.earlyEnd?.words).map(mask.line)
    if wrong.isEmpty, summary.isFailedByFlaky { return "\(Readable.count(summary.flaky)) flaky" }
    if let unmet = summary.load?.expectations.first(where: { summary.load.map($0.isMet) == false }) {
      return "Expectation not met: \(mask.line(unmet.text))"
    }
    if !wrong.isEmpty { return wrong.joined(separator: ", ") + (stopped.map { " – \($0)" } ?? "") }
    if let stopped { return stopped.prefix(1).uppercased() + stopped.dropFirst() }
    let passed = counts[.passed, default: 0]
    if let error = summary.runErrors.first {
      let words = mask.line(error.message)
      return passed == total ? "All passed, but \(words)" : words.prefix(1).uppercased() + words.dropFirst()
    }
    if total == 0 { return "Nothing to do" }
    if summary.flaky > 0, passed == total { return "All \(Readable.count(total)) passed, \(Readable.count(summary.flaky)) of them flaky" }
    if summary.quarantined > 0 {
      return "\(Readable.count(passed)) of \(Readable.count(total)) passed, \(Readable.count(summary.quarantined)) quarantined"
    }
    guard passed == total else { return "\(Readable.count(passed)) of \(Readable.count(total)) passed, none failed" }
    return total == 1 ? "1 step passed" : "All \(Readable.count(total)) passed"
  }

  /// The workflows of the run, each by its `name` and file, or only their number if there are many. Empty for a run that did not begin.
  var names: String {
    var files: [(file: String, name: String?)] = []
    for step in start?.steps ?? [] where files.last?.file != step.file { files.append((step.file, step.workflowName)) }
    if files.isEmpty, summary.refusal != nil { return "" }
    guard 1...3 ~= files.count else { return Readable.count(files.count, "document") }
    return files.map { document in
      document.name.map { "\(mask.line($0)) (\(mask.line(document.file)))" } ?? mask.line(document.file)
    }.joined(separator: ", ")
  }

  /// The main facts of the run as separate texts: the workflows, the time and duration of the run, the seed of its generated data, and its
  /// exit status.
  var facts: [String] {
    var facts = names.isEmpty ? [] : [names]
    if let start, start.startedAt > 0 { facts.append(TimeText.readable(start.startedAt)) }
    if summary.wallTime > .zero {
      var words = "\(Readable.count(summary.requestCount, "request")) in \(Readable.duration(summary.wallTime))"
      if let speedup = summary.speedup {
        words += ", \(speedup)× faster than one after another (\(Readable.duration(summary.sumOfStepTimes)))"
      }
      facts.append(words)
    }
    if let hostname, !hostname.isEmpty { facts.append(mask.line(hostname)) }
    if let id = start?.runID, !id.isEmpty { facts.append("run \(mask.line(id))") }
    if let seed = start?.seed { facts.append("seed \(seed)") }
    facts.append("exit status \(summary.exitStatus)")
    return facts
  }
}
