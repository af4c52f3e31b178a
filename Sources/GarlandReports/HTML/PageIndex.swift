import GarlandJSON
import GarlandResults

/// Formats the index of an HTML page. Each line is a JSON array with the data of a step or a result that the page's list, timeline and
/// graph show.
///
/// Times are in microseconds. The page's script (`2-run.js`) reads the members by their positions, because names would make the page much
/// larger.
struct PageIndex {
  let mask: Mask
  private let label: StepLabel
  private let printer = JSONPrinter()

  init(mask: Mask) {
    self.mask = mask
    label = StepLabel(mask: mask, namesFile: false)
  }

  /// Returns the index line of a step, with the members `[id, file, line, action, tags, description, isCleanup, dependencies, loopLimit,
  /// quarantine]`.
  func step(_ step: StepIdentity, file: Int, dependencies: [Int]) -> [UInt8] {
    var line = Line(printer)
    line.text(mask.line(step.id))
    line.number(file)
    line.number(step.range.start.line)
    line.text(label.action(step))
    if step.tags.isEmpty { line.number(0) } else { line.list(step.tags) { $0.text(mask.line($1)) } }
    if let summary = step.summary { line.text(mask.text(summary)) } else { line.number(0) }
    line.number(step.isCleanup ? 1 : 0)
    line.list(dependencies) { $0.number($1) }
    line.number(step.loopLimit ?? 0)
    if let quarantine = step.quarantine { line.text(label.quarantine(quarantine)) } else { line.number(0) }
    return line.end()
  }

  /// Returns the index line of a result.
  ///
  /// Its members are `[step, iteration, iterationIndex, outcome, isAllowed, items, ready, start, duration, status, requests, checks,
  /// message, action, blockedBy, exchanges, delay, origin, earlier]`, and those of an earlier result are `[start, duration, outcome]`.
  ///
  /// - Parameter origin: the number in ``PageOrigins`` of the origin to which the step sends; -1 if it sends nothing itself.
  func result(_ result: StepResult, origin: Int) -> [UInt8] {
    var line = Line(printer)
    line.number(result.step.index)
    if let iteration = result.iteration { line.text(mask.line(iteration)) } else { line.number(0) }
    line.number(result.iterationIndex ?? -1)
    line.number(Outcome.allCases.firstIndex(of: result.outcome) ?? 0)
    line.number(result.isFailureAllowed ? 1 : 0)
    line.number(result.itemCount)
    line.number(Readable.microseconds(result.readyAt))
    line.number(Readable.microseconds(result.startedAt))
    line.number(Readable.microseconds(result.duration))
    line.number(result.step.isRequest ? result.lastOwnExchange?.status ?? 0 : 0)
    line.number(result.requestCount)
    line.number(result.checkCount)
    if let message = label.explanation(result) { line.text(message) } else { line.number(0) }
    let action = label.action(result)
    if action == label.action(result.step) { line.number(0) } else { line.text(action) }
    line.list(result.blockedBy) { $0.number($1.index) }
    line.list(result.exchanges) { line, exchange in
      line.list(CollectionOfOne(exchange)) { line, exchange in
        if let label = exchange.label { line.text(mask.line(label)) } else { line.number(0) }
        for hop in exchange.hops { bar(hop, in: &line) }
      }
    }
    line.number(Readable.microseconds(result.delay))
    line.number(origin)
    line.list(result.earlier) { line, earlier in
      line.list(CollectionOfOne(earlier)) { line, earlier in
        line.number(Readable.microseconds(earlier.startedAt))
        line.number(Readable.microseconds(earlier.duration))
        line.number(Outcome.allCases.firstIndex(of: earlier.outcome) ?? 0)
        // The failure of a whole loop may be an earlier result of one of its items.
        if result.iterationIndex != nil, earlier.iterationIndex == nil { line.number(1) }
      }
    }
    return line.end()
  }

  /// Adds the data of a hop (one request and its response) to a line, for the hop's bar in the timeline.
  ///
  /// The data is `[start, queue, dns, connect, tls, send, wait, receive, status, isReused]`. The start is -1 if it is unknown.
  private func bar(_ hop: Exchange.Hop, in line: inout Line) {
    let phases = hop.timing.recorded.phases
    line.list(CollectionOfOne(phases)) { line, phases in
      line.number(hop.timing.startedAt.map(Readable.microseconds) ?? -1)
      for phase in phases.named { line.number(Readable.microseconds(phase.duration)) }
      line.number(hop.status ?? 0)
      line.number(hop.timing.isReused ? 1 : 0)
    }
  }

  /// A JSON array that is built element by element.
  struct Line {
    private var bytes: [UInt8] = [UInt8(ascii: "[")]
    private var isFirst = true
    private let printer: JSONPrinter

    init(_ printer: JSONPrinter) { self.printer = printer }

    mutating func number(_ value: Int) {
      separate()
      bytes.append(contentsOf: String(value).utf8)
    }

    mutating func text(_ value: String) {
      separate()
      printer.print(value, into: &bytes)
    }

    mutating func list<Elements: Sequence>(_ elements: Elements, _ element: (inout Line, Elements.Element) -> Void) {
      separate()
      bytes.append(UInt8(ascii: "["))
      isFirst = true
      for value in elements { element(&self, value) }
      bytes.append(UInt8(ascii: "]"))
      isFirst = false
    }

    mutating func end() -> [UInt8] {
      bytes.append(UInt8(ascii: "]"))
      return bytes
    }

    private mutating func separate() {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
    }
  }
}
