import GarlandDiagnostics
import GarlandResults

/// Writes a run as JUnit XML for Jenkins, GitLab and other readers, with a suite for each file and a case for each step or iteration.
///
/// The items of a loop that did not begin share one case. The reason in this case states how many items did not begin. A suite counts its
/// cases and not the items, since readers compare the counts with the cases.
///
/// Cases are written to a temporary file as they arrive, so they need only 24 bytes of memory each. At the end, each suite is written:
/// first its counts, then its cases in plan order. Therefore the reports of two runs differ only where the runs differ. The file appears at
/// its path when it is complete, also after an interrupt.
///
/// - A step that failed has one `failure` with all failed expectations. The exchange of the step is its `system-out`.
/// - A step without a response has one `error`.
/// - A step that was skipped, blocked or not run has `skipped` with the reason. A failure that `allow_failure` covers also has `skipped`.
/// - Each expectation of a load test is a case of the suite `load`.
/// - Each error of the whole run (``RunSummary/errors``) is a case with `error`, so that the report of a run that does not succeed always has
///   an `error` or a `failure`.
/// - Failed attempts that were repeated are `flakyFailure` and `flakyError` if the step passed in the end, and otherwise `rerunFailure` and
///   `rerunError`, as [Surefire](https://maven.apache.org/surefire/maven-surefire-plugin/examples/rerun-failing-tests.html) writes them.
///
/// The document is valid according to the schema of Jenkins' xUnit plugin, `junit-10.xsd`.
package final class JUnitReporter: ResultReporter {
  /// The counts and times of the test suite that represents one workflow file.
  private struct Suite {
    var file: String
    var name: String
    /// The positions of the suite's steps in the plan.
    var steps: Range<Int>
    var tests = 0
    var failures = 0
    var errors = 0
    var skipped = 0
    var startedAt: Duration?
    var endedAt = Duration.zero

    var duration: Duration { max(.zero, endedAt - (startedAt ?? endedAt)) }
  }

  private let path: String
  private let hostname: String
  private let mask: Mask
  private let file: ReportFile
  private let cases: Spool
  private var suites: [Suite] = []
  private var start: RunStart?
  private var tally = RunTally()
  private var testCase: JUnitCase
  /// The results of a load test. They are written when the run has ended, since their durations are unknown before.
  private var loadResults: [StepResult] = []
  /// A reused buffer for the next `<testcase>` element.
  private var caseBytes: [UInt8] = []

  /// Creates a reporter that writes to a file.
  ///
  /// - Parameters:
  ///   - path: the path of the report; `-` is standard output.
  ///   - redactor: masks the secrets.
  ///   - hostname: the name of the machine.
  /// - Throws: an error if the file can't be written. The caller gets this error before the run sends anything.
  package init(path: String, redactor: Redactor, hostname: String) throws(ReportError) {
    self.path = path
    self.hostname = hostname
    mask = Mask(redactor)
    testCase = JUnitCase(mask: mask)
    file = try ReportFile(path: path)
    cases = try Spool(forReportAt: path)
  }

  /// Receives the next event of the run.
  package func receive(_ event: RunEvent) {
    tally.receive(event)
    switch event {
    case .runStarted(let start): begin(start)
    case .stepEnded(let result) where start?.load != nil: loadResults.append(result)
    case .stepEnded(let result): append(result)
    case .stepReady, .stepStarted, .stepProgressed, .stepWaits, .loadProgressed, .notice, .interrupted, .runEnded: break
    }
  }

  /// Writes the test cases in plan order, and makes the complete report visible at its path.
  package func finish() throws(ReportError) {
    for result in loadResults + tally.unreportedResults() { append(result) }
    writeDocument()
    if let failure = cases.failure { throw .cannotWrite(path: path, reason: failure) }
    try file.commit()
  }

  private func begin(_ start: RunStart) {
    self.start = start
    for (index, step) in start.steps.enumerated() {
      if let last = suites.last, last.file == step.file {
        suites[suites.count - 1].steps = last.steps.lowerBound..<index + 1
      } else {
        suites.append(Suite(file: step.file, name: step.workflow, steps: index..<index + 1))
      }
    }
  }

  private func append(_ result: StepResult) {
    caseBytes.removeAll(keepingCapacity: caseBytes.count < 1 << 20)
    testCase.append(result, time: tally.duration(of: result), to: &caseBytes)
    cases.append(caseBytes, at: Spool.Key(step: result.step.index, iteration: result.iterationIndex ?? 0))
    guard let place = suite(ofStep: result.step.index) else { return }
    suites[place].tests += 1
    switch result.outcome {
    case .failed where !result.isFailureAllowed: suites[place].failures += 1
    case .error where !result.isFailureAllowed, .unreachable where !result.isFailureAllowed: suites[place].errors += 1
    case .passed: break
    case .failed, .error, .unreachable, .skipped, .blocked, .notRun: suites[place].skipped += 1
    }
    suites[place].startedAt = min(suites[place].startedAt ?? result.startedAt, result.startedAt)
    suites[place].endedAt = max(suites[place].endedAt, result.endedAt)
  }

  private func suite(ofStep step: Int) -> Int? {
    var low = 0
    var high = suites.count
    while low < high {
      let middle = (low + high) / 2
      if suites[middle].steps.upperBound <= step { low = middle + 1 } else { high = middle }
    }
    return low < suites.count && suites[low].steps.contains(step) ? low : nil
  }

  private func writeDocument() {
    let writer = file.writer
    var head: [UInt8] = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites".utf8)
    XMLText.append(attribute: "name", "garland", to: &head)
    let errors = tally.summary.errors
    let expectations = tally.summary.load.map { LoadFigures.expectations(of: $0, mask) } ?? []
    counts(
      tests: suites.reduce(errors.count + expectations.count) { $0 + $1.tests },
      failures: suites.reduce(expectations.count { !$0.isMet }) { $0 + $1.failures },
      errors: suites.reduce(errors.count) { $0 + $1.errors }, time: tally.summary.wallTime, to: &head)
    head += Array(">\n".utf8)
    writer.write(head)
    for (number, suite) in suites.enumerated() {
      // A load test repeats the steps of every file from its start to its end.
      let (startedAt, time) = tally.summary.load == nil ? (suite.startedAt ?? .zero, suite.duration) : (.zero, tally.summary.wallTime)
      var opening: [UInt8] = Array("  <testsuite".utf8)
      XMLText.append(attribute: "name", mask.text(suite.name), to: &opening)
      counts(tests: suite.tests, failures: suite.failures, errors: suite.errors, time: time, to: &opening)
      details(skipped: suite.skipped, startedAt: startedAt, to: &opening)
      XMLText.append(attribute: "hostname", mask.text(hostname), to: &opening)
      XMLText.append(attribute: "id", "\(number)", to: &opening)
      XMLText.append(attribute: "file", mask.text(suite.file), to: &opening)
      opening += Array(">\n    <properties>\n      <property name=\"garland.run\"".utf8)
      XMLText.append(attribute: "value", mask.text(start?.runID ?? ""), to: &opening)
      if let seed = start?.seed {
        opening += Array("/>\n      <property name=\"garland.seed\"".utf8)
        XMLText.append(attribute: "value", "\(seed)", to: &opening)
      }
      opening += Array("/>\n    </properties>\n".utf8)
      writer.write(opening)
      cases.forEach(stepsIn: suite.steps) { writer.write($0) }
      writer.write("  </testsuite>\n")
    }
    if !expectations.isEmpty {
      let cases = expectations.map { testCase.bytes(of: $0) }
      write(cases, asSuite: "load", id: suites.count, failures: expectations.count { !$0.isMet }, errors: 0, to: writer)
    }
    if !errors.isEmpty {
      let name = tally.summary.refusal == nil ? "the run" : "the run did not begin"
      let id = suites.count + (expectations.isEmpty ? 0 : 1)
      write(errors.map { testCase.bytes(of: $0) }, asSuite: name, id: id, failures: 0, errors: errors.count, to: writer)
    }
    writer.write("</testsuites>\n")
  }

  /// Writes a test suite whose test cases belong to no step, such as the expectations of a load test.
  private func write(_ cases: [[UInt8]], asSuite name: String, id: Int, failures: Int, errors: Int, to writer: FileDescriptorWriter) {
    var bytes: [UInt8] = Array("  <testsuite".utf8)
    XMLText.append(attribute: "name", name, to: &bytes)
    counts(tests: cases.count, failures: failures, errors: errors, time: .zero, to: &bytes)
    details(skipped: 0, startedAt: .zero, to: &bytes)
    XMLText.append(attribute: "hostname", mask.text(hostname), to: &bytes)
    XMLText.append(attribute: "id", "\(id)", to: &bytes)
    bytes += Array(">\n".utf8)
    for testCase in cases { bytes += testCase }
    bytes += Array("  </testsuite>\n".utf8)
    writer.write(bytes)
  }

  /// Writes the attributes that the `testsuite` elements and the root element `testsuites` have in common: the numbers of tests, failures
  /// and errors, and the total time.
  private func counts(tests: Int, failures: Int, errors: Int, time: Duration, to bytes: inout [UInt8]) {
    XMLText.append(attribute: "tests", "\(tests)", to: &bytes)
    XMLText.append(attribute: "failures", "\(failures)", to: &bytes)
    XMLText.append(attribute: "errors", "\(errors)", to: &bytes)
    // The schema allows only milliseconds.
    XMLText.append(attribute: "time", Readable.seconds(.milliseconds((Readable.microseconds(time) + 500) / 1_000)), to: &bytes)
  }

  /// Writes the attributes that a `testsuite` element has and the root element `testsuites` does not have.
  private func details(skipped: Int, startedAt: Duration, to bytes: inout [UInt8]) {
    XMLText.append(attribute: "skipped", "\(skipped)", to: &bytes)
    let seconds = (start?.startedAt ?? 0) + Double(Readable.microseconds(startedAt)) / 1_000_000
    XMLText.append(attribute: "timestamp", TimeText.withoutZone(seconds), to: &bytes)
  }
}
