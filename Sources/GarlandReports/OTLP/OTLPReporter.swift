import GarlandDiagnostics
import GarlandResults

/// Writes a run as a trace in [OTLP/JSON](https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding), with a span for the run, for
/// each step and item of a loop, and for each attempt, each poll, each page of a pagination, and each hop of a redirect.
///
/// As in [files of OTLP](https://opentelemetry.io/docs/specs/otel/protocol/file-exporter/), each line is a separate message. A message has
/// about 1 MiB at most, unless the spans of one step alone are larger. Spans stream to the disk as they arrive and are put into plan order
/// at the end.
package final class OTLPReporter: Reporter {
  private let path: String
  private let resource: OTLPResource
  private let mask: Mask
  private let file: ReportFile
  private let spans: Spool
  /// The upload of the trace to a collector; nil if the report is written to a file.
  private let upload: TraceUpload?
  private var format: OTLPSpans
  private var tally = RunTally()
  /// Whether the run is a load test. Its trace contains no span for a step that has only figures: such a span would look like a single
  /// execution of the step.
  private var isLoad = false

  private static let messageSize = 1 << 20

  /// Creates a reporter that writes to a file.
  ///
  /// - Parameters:
  ///   - path: the path of the report; `-` is standard output.
  ///   - redactor: masks the secrets.
  ///   - resource: the program and the machine that the trace names as its source.
  /// - Throws: an error if the file can't be written. The caller gets this error before the run sends anything.
  package convenience init(path: String, redactor: Redactor, resource: OTLPResource) throws(ReportError) {
    try self.init(path: path, try ReportFile(path: path), redactor, resource, upload: nil)
  }

  /// Creates a reporter whose report is sent after the run has ended.
  ///
  /// - Parameters:
  ///   - upload: receives the messages of the trace.
  ///   - redactor: masks the secrets.
  ///   - resource: the program and the machine that the trace names as its source.
  /// - Throws: an error if no temporary file can be created.
  package convenience init(to upload: TraceUpload, redactor: Redactor, resource: OTLPResource) throws(ReportError) {
    try self.init(path: "-", try ReportFile(scratchFor: upload.url), redactor, resource, upload: upload)
  }

  private init(
    path: String, _ file: ReportFile, _ redactor: Redactor, _ resource: OTLPResource, upload: TraceUpload?
  ) throws(ReportError) {
    self.path = path
    self.file = file
    self.resource = resource
    self.upload = upload
    mask = Mask(redactor)
    format = OTLPSpans(mask: mask, start: nil)
    spans = try Spool(forReportAt: path)
  }

  /// The details that the events must contain for this reporter: the timing phases, and the header field `traceparent`, which may identify
  /// a span. `RunDetail.fields` includes both.
  package var detail: RunDetail { [.fields] }

  /// Receives the next event of the run.
  package func receive(_ event: RunEvent) {
    tally.receive(event)
    switch event {
    case .runStarted(let start):
      format = OTLPSpans(mask: mask, start: start)
      isLoad = start.load != nil
    case .stepEnded(let result): append(result)
    case .stepReady, .stepStarted, .stepProgressed, .stepWaits, .loadProgressed, .notice, .interrupted, .runEnded: break
    }
  }

  /// Writes the OTLP messages with the run and its steps, passes them to the upload if there is one, and makes the file visible at its
  /// path.
  package func finish() throws(ReportError) {
    for result in tally.unreportedResults() { append(result) }
    let messages = writeMessages()
    if let failure = spans.failure { throw .cannotWrite(path: path, reason: failure) }
    if let upload { try upload.take(messages, from: file) }
    try file.commit()
  }

  private func append(_ result: StepResult) {
    guard !isLoad || result.isOfOneRepetition else { return }
    spans.append(format.bytes(of: result), at: Spool.Key(step: result.step.index, iteration: result.iterationIndex ?? 0))
  }

  /// Writes the OTLP messages to the file, and returns the byte range of each message in the file.
  private func writeMessages() -> [Range<Int>] {
    let writer = file.writer
    let (head, tail) = resource.message(mask)
    var messages: [Range<Int>] = []
    var begin = writer.position
    writer.write(head)
    writer.write(format.bytes(of: tally.summary))
    spans.forEach(stepsIn: 0..<Int(UInt32.max)) { piece in
      if writer.position - begin + piece.count > Self.messageSize {
        writer.write(tail)
        messages.append(begin..<writer.position)
        writer.write("\n")
        begin = writer.position
        writer.write(head)
      } else {
        writer.write(",")
      }
      writer.write(piece)
    }
    writer.write(tail)
    messages.append(begin..<writer.position)
    writer.write("\n")
    return messages
  }
}
