/// Writes an HTML report: the head, compressed blocks of data, the index, and the script.
///
/// The data is compressed with gzip and encoded in base64, so that a page of 10,000 steps stays small. The page's script unpacks the block
/// of a step when the reader opens the step.
final class PageWriter {
  /// The head of a page. A reader can read the head even if the browser runs no scripts.
  struct Head {
    /// The title of the browser window.
    var title: String
    /// The outcome of the run in words, as the heading of the page.
    var heading: String
    /// The main facts about the run, which the page shows below the heading.
    var facts: [String]
    /// The measurements of a load test as a table: the names of the columns, followed by the rows.
    var figures: [[String]] = []
    /// Further lines below the table of measurements.
    var remarks: [String] = []
    /// Whether the run succeeded, or nil for a plan.
    var isGood: Bool?
    /// The program that creates the page.
    var generator: String
  }

  private let output: ([UInt8]) -> Void
  private let packed: PackedWriter
  private var openBlock: (kind: String, count: Int, bytes: Int)?
  private var starts: [String: [Int]] = [:]
  private var totals: [String: Int] = [:]
  /// The maximum size of a block in bytes, before compression. The page's script can only unpack a block as a whole, and a block of this
  /// size causes no noticeable delay.
  private static let blockBytes = 384 << 10
  private static let blockEntries = 400

  /// Creates a writer that passes bytes to a function.
  ///
  /// - Parameters:
  ///   - level: the compression level, 1 to 9.
  ///   - output: receives the bytes of the page.
  init(level: Int = 6, _ output: @escaping ([UInt8]) -> Void) {
    self.output = output
    packed = PackedWriter(level: level, output)
  }

  /// Whether zlib has reported an error.
  var isFailed: Bool { packed.isFailed }

  func begin(_ head: Head) {
    var facts: [UInt8] = []
    for fact in head.facts {
      facts += Array("<span>".utf8)
      XMLText.append(fact, to: &facts)
      facts += Array("</span>".utf8)
    }
    fill(
      PageText.template,
      [
        "policy": Array(Self.policy.utf8), "style": Array(PageText.style.utf8), "title": Self.escaped(head.title),
        "heading": Self.escaped(head.heading), "facts": facts, "load": Self.table(head), "generator": Self.escaped(head.generator),
        "verdict": Array((head.isGood.map { $0 ? "good" : "bad" } ?? "plan").utf8),
        "colour": Array((head.isGood.map { $0 ? "1a9a56" : "d23f3f" } ?? "6b7c93").utf8),
      ])
  }

  private static func table(_ head: Head) -> [UInt8] {
    guard let columns = head.figures.first else { return [] }
    func row(_ cells: [String], _ name: String) -> [UInt8] {
      Array("<tr>".utf8) + cells.flatMap { Array("<\(name)>".utf8) + escaped($0) + Array("</\(name)>".utf8) } + Array("</tr>".utf8)
    }
    // On a phone the table is wider than the screen.
    var bytes = Array("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Times of the load\">".utf8)
    bytes += Array("<table class=\"load\"><thead>".utf8) + row(columns, "th") + Array("</thead><tbody>".utf8)
    for cells in head.figures.dropFirst() { bytes += row(cells, "td") }
    bytes += Array("</tbody></table></div>".utf8)
    for remark in head.remarks { bytes += Array("<p class=\"facts\">".utf8) + escaped(remark) + Array("</p>".utf8) }
    return bytes
  }

  /// The content security policy of the page. The policy forbids network requests, frames, and scripts other than the page's own script.
  private static let policy =
    "default-src 'none'; script-src '\(PageText.scriptHash)'; style-src '\(PageText.styleHash)'; img-src data:; base-uri 'none'; form-action 'none'"

  private static func escaped(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    XMLText.append(text, to: &bytes)
    return bytes
  }

  private func fill(_ template: String, _ values: [String: [UInt8]]) {
    var rest = template[...]
    while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
      output(Array(rest[..<open.lowerBound].utf8))
      output(values[String(rest[open.upperBound..<close.lowerBound])] ?? [])
      rest = rest[close.upperBound...]
    }
    output(Array(rest.utf8))
  }

  // MARK: Blocks

  /// Adds an entry to the page. The parameter `kind` is `s` for the definition of a step, and `r` for a result. A caller must add all
  /// entries of one kind before it adds entries of another kind.
  func add(_ entry: some Collection<UInt8>, to kind: String) {
    if let block = openBlock, block.kind != kind || block.count >= Self.blockEntries || block.bytes + entry.count > Self.blockBytes {
      endBlock()
    }
    if openBlock == nil {
      output(Array("<script type=\"application/octet-stream\" id=\"\(kind)\(starts[kind, default: []].count)\">".utf8))
      starts[kind, default: []].append(totals[kind, default: 0])
      openBlock = (kind, 0, 0)
    }
    packed.write(openBlock?.count == 0 ? "[" : ",")
    packed.write(entry)
    openBlock?.count += 1
    openBlock?.bytes += entry.count
    totals[kind, default: 0] += 1
  }

  func endBlock() {
    guard openBlock != nil else { return }
    packed.write("]")
    packed.end()
    output(Array("</script>\n".utf8))
    openBlock = nil
  }

  // MARK: Index

  /// Begins the page's index, a JSON object, and writes its first members. `members` is JSON text without the surrounding braces.
  func beginIndex(_ members: [UInt8]) {
    endBlock()
    output(Array("<script type=\"application/octet-stream\" id=\"index\">".utf8))
    packed.write("{")
    packed.write(members)
    for (name, kind) in [("stepBlocks", "s"), ("resultBlocks", "r")] {
      packed.write(Array(",\"\(name)\":[\(starts[kind, default: []].map(String.init).joined(separator: ","))]".utf8))
    }
  }

  private var hasLines = false

  func beginList(_ name: StaticString) {
    packed.write(",\"")
    packed.write(name)
    packed.write("\":[")
    hasLines = false
  }

  func line(_ bytes: some Collection<UInt8>) {
    if hasLines { packed.write(",") }
    packed.write(bytes)
    hasLines = true
  }

  func endList() { packed.write("]") }

  /// Writes the end of the index, and then the script and the end of the page.
  func end() {
    packed.write("}")
    packed.end()
    output(Array("</script>\n<script>\(PageText.script)</script>\n</body>\n</html>\n".utf8))
  }
}
