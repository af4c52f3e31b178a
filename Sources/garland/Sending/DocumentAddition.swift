import GarlandDiagnostics
import GarlandImport
import GarlandYAML

/// The text of a document to which entries are added. The existing text stays unchanged: comments, blank lines, quotes.
struct DocumentAddition {
  /// The error if the document can't get a new step or `auth` entry.
  struct Refusal: Error {
    let message: String
  }

  private let name: String
  /// The text of the document, including the entries that were added so far.
  private(set) var bytes: [UInt8]

  /// Takes the text of a document, to which entries can then be added.
  ///
  /// - Parameters:
  ///   - name: The document's name in messages.
  ///   - bytes: The document's text.
  init(_ name: String, _ bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  // MARK: Names

  /// Returns the names in a section: the keys of a mapping, or the items of a list.
  func names(in section: String) throws -> [String] {
    guard let node = try root()[section] else { return [] }
    return node.mapping?.entries.map(\.name) ?? node.sequence?.compactMap { $0.scalar?.text } ?? []
  }

  /// Returns the source range of the entry `entry` in the document's section `section`, such as `secrets`; nil if there is no such entry.
  func place(of entry: String, in section: String) throws -> SourceRange? { try root()[section]?.mapping?.entry(entry)?.key.range }

  private func document() throws -> (root: YAMLNode, mapping: YAMLMapping) {
    var diagnostics = DiagnosticList()
    let documents = YAMLParser.parse(name: name, bytes: bytes, into: &diagnostics)
    if let problem = diagnostics.all.first(where: { $0.severity == .error }) {
      throw Refusal(message: "\(problem.range.map { "\($0): " } ?? "")\(problem.message); `garland check \(name)` shows details")
    }
    guard documents.count == 1, let root = documents[0].root, let mapping = root.mapping else {
      throw Refusal(message: "the file `\(name)` is not a workflow")
    }
    guard documents[0].file.bytes == bytes else { throw Refusal(message: "the file `\(name)` is not in UTF-8: no step can be added to it") }
    return (root, mapping)
  }

  private func root() throws -> YAMLMapping { try document().mapping }

  // MARK: Adding

  /// Adds an entry to a section of the document. If the document does not have the section, adds the section with the entry.
  mutating func add(_ key: String, _ value: ImportedValue, to section: String) throws {
    let (root, mapping) = try document()
    guard let entry = mapping.entry(section) else {
      return try add(section: section, .object([(key, value)]), to: root, mapping)
    }
    try insert(into: entry, under: root) { indent in
      indent.map { StepYAML.entry(key, value, indent: $0) } ?? StepYAML.flowEntry(key, value)
    }
    guard try self.root()[section]?.mapping?.entry(key) != nil else { throw refusal(section) }
  }

  /// Adds a name to `secrets`, which may be a list or a mapping.
  mutating func declareSecret(_ secret: String) throws {
    let section = "secrets"
    let (root, mapping) = try document()
    guard let entry = mapping.entry(section) else {
      return try add(section: section, .list([.string(secret)]), to: root, mapping)
    }
    let isList = entry.value.mapping == nil
    try insert(into: entry, under: root) { indent in
      guard isList else { return indent.map { StepYAML.entry(secret, .null, indent: $0) } ?? StepYAML.flowEntry(secret, .null) }
      return indent.map { String(repeating: " ", count: $0) + "- \(secret)\n" } ?? secret
    }
    guard try names(in: section).contains(secret) else { throw refusal(section) }
  }

  private func refusal(_ section: String) -> Refusal {
    Refusal(message: "no entry can be added to `\(section)` of \(name), because its value is not a plain mapping or list")
  }

  /// Adds a section to the document. In block style, a new section is added before `steps`; without `steps`, and in flow style, it is added
  /// at the end.
  private mutating func add(section: String, _ value: ImportedValue, to root: YAMLNode, _ mapping: YAMLMapping) throws {
    if isFlow(root) { return insertInFlow(root, StepYAML.flowEntry(section, value)) }
    let indent = mapping.entries.first.map { column(of: $0.key.offsets.lowerBound) } ?? 0
    let text = StepYAML.entry(section, value, indent: indent)
    if section != "steps", let steps = mapping.entry("steps") {
      // Comments above the steps belong to the steps.
      var start = lineStart(of: steps.key.offsets.lowerBound)
      while start > 0, case let above = lineStart(of: start - 1), isComment(line(at: above)) { start = above }
      insert(text + "\n", at: start)
    } else {
      insert("\n" + text, at: endOfBlock(root, column: indent))
    }
  }

  /// Inserts text at the end of a section.
  ///
  /// - Parameter text: a closure that returns the text to insert. Its argument is the column of the section's entries, or nil if braces or
  ///   brackets enclose the entries.
  private mutating func insert(into entry: YAMLMapping.Entry, under root: YAMLNode, _ text: (Int?) -> String) throws {
    let node = entry.value
    guard !node.isAlias, node.anchor == nil else { throw refusal(entry.name) }
    if node.isNull {
      guard node.offsets.isEmpty else { throw refusal(entry.name) }
      let column = column(of: entry.key.offsets.lowerBound) + 2
      return insert(text(column), at: lineEnd(of: entry.key.offsets.upperBound))
    }
    if isFlow(node) { return insertInFlow(node, text(nil)) }
    let starts = self.starts(in: node)
    guard let first = starts.first else { throw refusal(entry.name) }
    let column = node.mapping == nil ? indent(ofLineAt: first) : column(of: first)
    let isSeparated = node.mapping != nil && (starts.count < 2 || starts.dropFirst().contains { hasBlankLine(above: $0) })
    let end = endOfBlock(node, column: column)
    insert((isSeparated && !endsBlank(at: end) ? "\n" : "") + text(column), at: end)
  }

  /// Returns the offsets at which the entries or items of a node begin. Entries from a merge key (`<<`) are not included.
  private func starts(in node: YAMLNode) -> [Int] {
    let all = node.mapping?.entries.map(\.key.offsets.lowerBound) ?? node.sequence?.map(\.offsets.lowerBound) ?? []
    return all.filter { node.offsets.contains($0) }
  }

  private func isFlow(_ node: YAMLNode) -> Bool {
    node.offsets.lowerBound < bytes.count && [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(bytes[node.offsets.lowerBound])
  }

  /// Adds an item after the last item of a mapping in braces or of a list in brackets.
  private mutating func insertInFlow(_ node: YAMLNode, _ text: String) {
    let close = node.offsets.upperBound - 1
    let ends =
      node.mapping?.entries.map { max($0.key.offsets.upperBound, $0.value.offsets.upperBound) } ?? node.sequence?.map(\.offsets.upperBound)
      ?? []
    guard let last = ends.filter({ node.offsets.contains($0) }).max() else { return insert(" \(text) ", at: node.offsets.lowerBound + 1) }
    var index = last
    while index < close {
      if bytes[index] == UInt8(ascii: ",") { return insert(" \(text)", at: index + 1) }
      if bytes[index] == UInt8(ascii: "#") { index = min(lineEnd(of: index), close) } else { index += 1 }
    }
    // An entry without a value ends with its colon, which needs a space before the next comma.
    let isWithoutValue = last > 0 && bytes[last - 1] == UInt8(ascii: ":")
    insert((isWithoutValue ? " , " : ", ") + text, at: last)
  }

  // MARK: Lines

  private mutating func insert(_ text: String, at offset: Int) {
    var text = text
    if offset > 0, bytes[offset - 1] != UInt8(ascii: "\n"), text.hasSuffix("\n") { text = "\n" + text }
    if bytes.firstRange(of: [UInt8(ascii: "\r"), UInt8(ascii: "\n")]) != nil { text = text.replacing("\n", with: "\r\n") }
    bytes.insert(contentsOf: text.utf8, at: offset)
  }

  private func lineStart(of offset: Int) -> Int { (bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1 }

  /// Returns the offset at which the next line begins, after the line that contains the given offset.
  private func lineEnd(of offset: Int) -> Int {
    bytes[min(offset, bytes.count)...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
  }

  private func line(at start: Int) -> ArraySlice<UInt8> { bytes[start..<lineEnd(of: start)] }

  private func column(of offset: Int) -> Int { offset - lineStart(of: offset) - (hasMark && lineStart(of: offset) == 0 ? 3 : 0) }

  private var hasMark: Bool { bytes.starts(with: [0xEF, 0xBB, 0xBF]) }

  private func indent(ofLineAt offset: Int) -> Int { line(at: lineStart(of: offset)).prefix { $0 == UInt8(ascii: " ") }.count }

  private func isBlank(_ line: ArraySlice<UInt8>) -> Bool { line.allSatisfy { $0 <= 0x20 } }

  private func isComment(_ line: ArraySlice<UInt8>) -> Bool { line.first { $0 > 0x20 } == UInt8(ascii: "#") }

  private func hasBlankLine(above offset: Int) -> Bool {
    var start = lineStart(of: offset)
    while start > 0 {
      start = lineStart(of: start - 1)
      if !isComment(line(at: start)) { return isBlank(line(at: start)) }
    }
    return false
  }

  private func endsBlank(at offset: Int) -> Bool { offset == 0 || isBlank(line(at: lineStart(of: offset - 1))) }

  /// Returns the offset at which a new entry is inserted after the last entry of a mapping in block style. The offset is after the comments
  /// of the mapping, and after blank lines that are part of a value.
  private func endOfBlock(_ node: YAMLNode, column: Int) -> Int {
    var end = lineEnd(of: node.offsets.upperBound > 0 ? node.offsets.upperBound - 1 : 0)
    let keepsLines =
      bytes[node.offsets].contains(UInt8(ascii: "+"))
      && [" |+", " >+", " |2+", " >2+"].contains { bytes[node.offsets].firstRange(of: Array($0.utf8)) != nil }
    var next = end
    while next < bytes.count {
      let line = line(at: next)
      next += line.count
      if isBlank(line) {
        if keepsLines { end = next }
      } else if isComment(line), line.prefix(while: { $0 == UInt8(ascii: " ") }).count >= column, column > 0 {
        end = next
      } else {
        break
      }
    }
    return end
  }
}
