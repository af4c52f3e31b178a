import GarlandDiagnostics
import GarlandResults

/// Writes a run in the [Test Anything Protocol, version 14](https://testanything.org/tap-version-14-specification.html). The report has a
/// test point for each step and each item of a loop, in plan order, and for each expectation of a load test. Points that failed have YAML
/// diagnostics.
///
/// Points are written to disk as they arrive. A step that was skipped, blocked or not run is a `SKIP`; a failure that `allow_failure`
/// permits is a `TODO`; and the report of a run that ended early ends with `Bail out!`, or with a comment if the exit status is 0.
package final class TAPReporter: ResultReporter {
  private let path: String
  private let mask: Mask
  private let file: ReportFile
  private let points: Spool
  private var point: TAPPoint
  /// The seed of the run's generated data; nil without such data.
  private var seed: UInt64?
  private var count = 0
  private var isLoad = false
  /// The results of a load test. They are written when the run has ended, since their durations are unknown before.
  private var loadResults: [StepResult] = []
  private var tally = RunTally()

  /// Creates a reporter.
  ///
  /// - Parameters:
  ///   - path: the path of the report; `-` is standard output.
  ///   - redactor: masks secrets.
  /// - Throws: an error if the file can't be written. No request has been sent at this time, since reporters are created before the run
  ///   starts.
  package init(path: String, redactor: Redactor) throws(ReportError) {
    self.path = path
    mask = Mask(redactor)
    point = TAPPoint(label: StepLabel(mask: mask, namesFile: false))
    file = try ReportFile(path: path)
    points = try Spool(forReportAt: path)
  }

  /// Receives the next event.
  package func receive(_ event: RunEvent) {
    tally.receive(event)
    switch event {
    case .runStarted(let start):
      seed = start.seed
      isLoad = start.load != nil
      point = TAPPoint(label: StepLabel(mask: mask, namesFile: start.steps.contains { $0.file != start.steps.first?.file }))
    case .stepEnded(let result) where isLoad: loadResults.append(result)
    case .stepEnded(let result): append(result)
    case .stepReady, .stepStarted, .stepProgressed, .stepWaits, .loadProgressed, .notice, .interrupted, .runEnded: break
    }
  }

  /// Inserts the numbers of the test points and moves the file to its final path.
  package func finish() throws(ReportError) {
    for result in loadResults + tally.unreportedResults() { append(result) }
    writeDocument()
    if let failure = points.failure { throw .cannotWrite(path: path, reason: failure) }
    try file.commit()
  }

  private func append(_ result: StepResult) {
    count += 1
    let text = point.text(result, duration: tally.duration(of: result))
    points.append(Array(text.utf8), at: Spool.Key(step: result.step.index, iteration: result.iterationIndex ?? 0))
  }

  private func writeDocument() {
    let summary = tally.summary
    // An error of the whole run is a separate test point, so that a run that does not succeed always has a failed point.
    let errors = summary.errors
    let expectations = summary.load.map { LoadFigures.expectations(of: $0, mask) } ?? []
    let total = count + expectations.count + errors.count
    file.writer.write("TAP version 14\n1..\(total)\(total == 0 ? " # SKIP no step ran" : "")\n")
    if let seed { file.writer.write("# seed \(seed)\n") }
    var number = 0
    points.forEach(stepsIn: 0..<Int(UInt32.max)) { piece in
      number += 1
      // A piece begins with `ok` or `not ok`; the number follows.
      let end = piece.firstIndex(of: TAPPoint.numberMark) ?? piece.endIndex
      file.writer.write(piece[..<end])
      file.writer.write("\(number)")
      file.writer.write(piece[end...].dropFirst())
    }
    let further = expectations.map { point.text($0) } + errors.map { point.text($0) }
    for text in further {
      number += 1
      file.writer.write(text.replacing(TAPPoint.numberText, with: "\(number)", maxReplacements: 1))
    }
    if let end = summary.earlyEnd {
      file.writer.write("\(summary.exitStatus == 0 ? "#" : "Bail out!") \(TAPPoint.escaped(mask.line(end.words)))\n")
    }
  }
}
