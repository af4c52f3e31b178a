import CYAML
import GarlandDiagnostics

/// Builds trees out of libyaml's events. No recursion: open collections wait in `frames`, their finished children in `nodes`.
struct Composer {
  let file: SourceFile
  let limits: YAMLLimits
  var diagnostics = DiagnosticList()
  private(set) var documents: [YAMLDocument] = []

  /// A collection that has not ended.
  struct Frame {
    let isMapping: Bool
    let isFlow: Bool
    /// Where its children start in `nodes`.
    let base: Int
    let start: Int
    let tag: YAMLTag?
    let anchor: YAMLNode.AnchorBox?
    /// Nodes inside, aliases counted as what they stand for.
    var weight = 1
    /// Levels of collections inside, aliases included.
    var height = 1
  }

  /// What `&name` stands for.
  private struct Anchor {
    /// nil while the collection is open.
    var node: YAMLNode?
    var weight = 1
    var height = 0
    var place: SourceRange
  }

  private var nodes: [YAMLNode] = []
  private(set) var frames: [Frame] = []
  private var anchors: [String: Anchor] = [:]
  private var root: YAMLNode?
  private var documentStart: Int?
  private var isStopped = false
  private var errors = 0
  private var written = 0
  private var expanded = 0
  /// Where the event before ended.
  private var previousEnd = 0
  /// The scalar before, for a syntax error's explanation.
  private(set) var previousScalar: (style: YAMLScalar.Style, range: Range<Int>)?

  init(file: SourceFile, limits: YAMLLimits) {
    self.file = file
    self.limits = limits
  }

  mutating func run() {
    file.bytes.withUnsafeBufferPointer { whole in
      let base = whole.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      guard let parser = LibYAML(UnsafeBufferPointer(rebasing: whole[base...])) else {
        report(Diagnostic(.yamlSyntax, "out of memory", at: nil))
        return
      }
      var marks = MarkConverter(UnsafeBufferPointer(rebasing: whole[base...]))
      previousEnd = base
      while !isStopped {
        guard parser.next() else {
          let problem = parser.problem
          let context = base + marks.offset(of: problem.contextIndex)
          explain(problem, at: base + marks.offset(of: problem.index), context: context, whole)
          return
        }
        let start = base + marks.offset(of: parser.event.pointee.start_mark.index)
        let end = base + marks.offset(of: parser.event.pointee.end_mark.index)
        handle(parser.event, start: start, end: max(start, end), bytes: whole)
        if parser.event.pointee.type == YAML_STREAM_END_EVENT { break }
      }
      if documents.isEmpty, !isStopped { documents.append(YAMLDocument(file: file, root: nil, range: range(base..<base))) }
    }
  }

  mutating func report(_ diagnostic: Diagnostic) {
    guard !isStopped else { return }
    diagnostics.report(diagnostic)
    guard diagnostic.severity == .error else { return }
    errors += 1
    if errors >= limits.errors {
      diagnostics.report(Diagnostic(.tooManyErrors, "too many errors: what follows in `\(file.name)` was not looked at", at: nil))
      isStopped = true
    }
  }

  private mutating func stop(_ diagnostic: Diagnostic) {
    report(diagnostic)
    isStopped = true
  }

  func range(_ offsets: Range<Int>) -> SourceRange { SourceRange(file, offsets) }

  // MARK: Events

  private mutating func handle(
    _ event: UnsafeMutablePointer<yaml_event_t>, start: Int, end: Int, bytes: UnsafeBufferPointer<UInt8>
  ) {
    switch event.pointee.type {
    case YAML_DOCUMENT_START_EVENT:
      documentStart = event.pointee.data.document_start.implicit == 0 ? start : nil
      anchors.removeAll()
      root = nil
      previousEnd = max(previousEnd, end)
    case YAML_DOCUMENT_END_EVENT:
      endDocument()
      previousEnd = max(previousEnd, end)
    case YAML_ALIAS_EVENT:
      let name = event.pointee.data.alias.anchor.map { String(cString: $0) } ?? ""
      alias(name, start..<end)
    case YAML_SCALAR_EVENT:
      let data = event.pointee.data.scalar
      scalar(
        UnsafeBufferPointer(start: data.value, count: data.length), style: data.style,
        tag: data.tag, anchor: data.anchor, start..<end, bytes)
    case YAML_SEQUENCE_START_EVENT:
      let data = event.pointee.data.sequence_start
      open(
        isMapping: false, isFlow: data.style == YAML_FLOW_SEQUENCE_STYLE, tag: data.tag, anchor: data.anchor, start..<end, bytes)
    case YAML_MAPPING_START_EVENT:
      let data = event.pointee.data.mapping_start
      open(
        isMapping: true, isFlow: data.style == YAML_FLOW_MAPPING_STYLE, tag: data.tag, anchor: data.anchor, start..<end, bytes)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
      close(end: end)
    default:
      break
    }
  }

  private mutating func endDocument() {
    let start = documentStart ?? root?.range.offsets.lowerBound ?? previousEnd
    let end = root?.range.offsets.upperBound ?? (documentStart.map { $0 + 3 } ?? previousEnd)
    // A bare `---` holds libyaml's empty scalar: nothing was written.
    var root = root
    if let node = root, node.isNull, node.range.offsets.isEmpty, node.tag == nil, node.anchor == nil { root = nil }
    documents.append(YAMLDocument(file: file, root: root, range: range(min(start, end)..<end)))
  }

  private mutating func scalar(
    _ value: UnsafeBufferPointer<UInt8>, style: yaml_scalar_style_t, tag: UnsafeMutablePointer<UInt8>?,
    anchor: UnsafeMutablePointer<UInt8>?, _ offsets: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>
  ) {
    var start = offsets.lowerBound
    var end = offsets.upperBound
    var box: YAMLNode.AnchorBox?
    var yamlTag: YAMLTag?
    if tag != nil || anchor != nil {
      let place = SourceScan.skipProperties(in: bytes, offsets, count: (tag == nil ? 0 : 1) + (anchor == nil ? 0 : 1))
      yamlTag = readTag(tag, isScalar: true, at: offsets, bytes)
      box = anchor.map { YAMLNode.AnchorBox(String(cString: $0)) }
      start = place
    } else if offsets.isEmpty, style == YAML_PLAIN_SCALAR_STYLE {
      start = SourceScan.emptyPlace(in: bytes, from: previousEnd, to: start)
      end = start
    }
    let text = String(decoding: value, as: UTF8.self)
    let scalar: YAMLScalar
    switch style {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: scalar = YAMLScalar(text, style: .singleQuoted, kind: .string)
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: scalar = YAMLScalar(text, style: .doubleQuoted, kind: .string)
    case YAML_LITERAL_SCALAR_STYLE:
      scalar = YAMLScalar(text, style: .literal, kind: .string)
      end = SourceScan.blockEnd(in: bytes, start..<end)
    case YAML_FOLDED_SCALAR_STYLE:
      scalar = YAMLScalar(text, style: .folded, kind: .string)
      end = SourceScan.blockEnd(in: bytes, start..<end)
    default:
      scalar = YAMLScalar(text, style: .plain, kind: ScalarTyping.kind(ofPlain: value))
    }
    let place = range(start..<max(start, end))
    let typed = yamlTag.map { apply($0, to: scalar, at: place) } ?? scalar
    previousScalar = (scalar.style, place.offsets)
    previousEnd = max(previousEnd, place.offsets.upperBound)
    let node = YAMLNode(.scalar(typed), at: place, tag: yamlTag, anchor: box)
    if let box { anchors[box.name] = Anchor(node: node, place: place) }
    switch scalar.style {
    case .plain: checkPlain(value, place.offsets, bytes)
    case .literal, .folded: checkBlock(scalar, place.offsets, bytes)
    case .singleQuoted, .doubleQuoted: break
    }
    add(node, weight: 1, height: 0)
  }

  private mutating func alias(_ name: String, _ offsets: Range<Int>) {
    previousEnd = max(previousEnd, offsets.upperBound)
    let place = range(offsets)
    let missing = YAMLNode(.scalar(YAMLScalar("", style: .plain, kind: .null)), at: place, anchor: YAMLNode.AnchorBox(name), isAlias: true)
    guard let anchor = anchors[name] else {
      var diagnostic = Diagnostic(.undefinedAlias, "`*\(name)` refers to an anchor that is not defined before it", at: place)
      if let near = Suggestion.nearest(to: name, in: anchors.keys.sorted()) {
        diagnostic = diagnostic.help("did you mean `*\(near)`?", fix: Diagnostic.Fix(place, "*\(near)"))
      } else {
        diagnostic = diagnostic.help("if the text `*\(name)` was meant, quote it", fix: Diagnostic.Fix(place, "'*\(name)'"))
      }
      report(diagnostic)
      return add(missing, weight: 1, height: 0)
    }
    guard let node = anchor.node else {
      report(
        Diagnostic(.recursiveAlias, "`*\(name)` stands inside the value that it refers to", at: place)
          .note("`&\(name)` is here", at: anchor.place))
      return add(missing, weight: 1, height: 0)
    }
    guard frames.count + anchor.height <= limits.depth else {
      return stop(
        Diagnostic(.nestedTooDeep, "with what `*\(name)` stands for, this is nested deeper than \(limits.depth) levels", at: place)
          .note("`&\(name)` is here", at: node.range))
    }
    guard expand(by: anchor.weight, at: place) else { return }
    add(
      YAMLNode(node.content, at: place, tag: node.tag, anchor: YAMLNode.AnchorBox(name), isAlias: true),
      weight: anchor.weight, height: anchor.height)
  }

  /// Counts what an alias or merge stands for; false, with an error, over the limit.
  private mutating func expand(by weight: Int, at place: SourceRange) -> Bool {
    expanded += weight
    guard expanded > max(limits.expandedNodes, 10 * written) else { return true }
    stop(
      Diagnostic(
        .aliasExpansion, "the aliases up to here stand for more than \(limits.expandedNodes) values", at: place,
        label: "this one goes over the limit"
      ).help("write the values out, or make them smaller: aliases of aliases multiply"))
    return false
  }

  private mutating func open(
    isMapping: Bool, isFlow: Bool, tag: UnsafeMutablePointer<UInt8>?, anchor: UnsafeMutablePointer<UInt8>?, _ offsets: Range<Int>,
    _ bytes: UnsafeBufferPointer<UInt8>
  ) {
    var start = offsets.lowerBound
    var box: YAMLNode.AnchorBox?
    var yamlTag: YAMLTag?
    if tag != nil || anchor != nil {
      // The event of a block ends where its first child starts, which may be before its properties are over.
      start = SourceScan.skipProperties(in: bytes, start..<bytes.count, count: (tag == nil ? 0 : 1) + (anchor == nil ? 0 : 1))
      yamlTag = readTag(tag, isScalar: false, at: offsets, bytes)
      box = anchor.map { YAMLNode.AnchorBox(String(cString: $0)) }
      if let yamlTag, yamlTag != (isMapping ? .map : .seq) {
        report(
          Diagnostic(
            .invalidTag, "`!!\(yamlTag.rawValue)` cannot be \(isMapping ? "a mapping" : "a list")",
            at: range(SourceScan.property(UInt8(ascii: "!"), in: bytes, offsets.lowerBound..<start))))
      }
    }
    let place = range(start..<min(start + 1, bytes.count))
    guard frames.count < limits.depth else {
      return stop(Diagnostic(.nestedTooDeep, "nested deeper than \(limits.depth) levels", at: place))
    }
    frames.append(Frame(isMapping: isMapping, isFlow: isFlow, base: nodes.count, start: start, tag: yamlTag, anchor: box))
    if let box { anchors[box.name] = Anchor(node: nil, place: place) }
    previousEnd = max(previousEnd, isFlow ? start + 1 : start)
  }

  private mutating func close(end: Int) {
    guard let frame = frames.popLast() else { return }
    // A block's end mark is where the next thing starts; what belongs to it ends with its last child.
    let last = nodes.count > frame.base ? nodes.last?.range.offsets.upperBound ?? frame.start : frame.start
    let place = range(frame.start..<max(frame.start, frame.isFlow ? end : last))
    previousEnd = max(previousEnd, place.offsets.upperBound)
    let content: YAMLNode.Content
    if frame.isMapping {
      content = .mapping(mapping(of: frame))
    } else {
      content = .sequence(Array(nodes[frame.base...]))
    }
    nodes.removeLast(nodes.count - frame.base)
    let node = YAMLNode(content, at: place, tag: frame.tag, anchor: frame.anchor)
    if let box = frame.anchor {
      // Only if the name was not given to something inside in the meantime.
      if let anchor = anchors[box.name], anchor.node == nil {
        anchors[box.name] = Anchor(node: node, weight: frame.weight, height: frame.height, place: place)
      }
    }
    add(node, weight: frame.weight, height: frame.height)
  }

  private mutating func add(_ node: YAMLNode, weight: Int, height: Int) {
    written += 1
    guard let frame = frames.last else {
      root = node
      return
    }
    frames[frames.count - 1].weight = frame.weight + weight
    frames[frames.count - 1].height = max(frame.height, height + 1)
    if frame.isMapping, (nodes.count - frame.base) % 2 == 0 { checkKey(node) }
    nodes.append(node)
  }

  // MARK: Mappings

  private mutating func mapping(of frame: Frame) -> YAMLMapping {
    var names = NameIndex()
    var entries: [YAMLMapping.Entry] = []
    entries.reserveCapacity((nodes.count - frame.base) / 2)
    var merges: [(at: Int, key: YAMLNode, value: YAMLNode)] = []
    var position = frame.base
    while position + 1 < nodes.count {
      let key = nodes[position]
      let value = nodes[position + 1]
      position += 2
      guard let scalar = key.scalar else { continue }
      let isMerge = scalar.style == .plain && scalar.text == "<<" && key.tag == nil && !key.isAlias
      if let first = isMerge ? merges.first?.key : names.find(scalar.text, in: entries).map({ entries[$0].key }) {
        var diagnostic = Diagnostic(.duplicateKey, "duplicate key `\(scalar.text)`", at: key.range, label: "defined again")
          .note("first defined here", at: first.range)
        if isMerge { diagnostic = diagnostic.help("merge several mappings with a list: `<<: [*a, *b]`") }
        report(diagnostic)
        continue
      }
      if frame.isFlow { checkMissingSpace(key: key, value: value) }
      if isMerge {
        merges.append((entries.count, key, value))
      } else {
        entries.append(YAMLMapping.Entry(key: key, value: value))
        names.add(scalar.text, at: entries.count - 1, of: entries)
      }
    }
    if let merge = merges.first {
      entries = merged(entries, at: merge.at, with: merge.value, names: &names)
      return YAMLMapping(entries)
    }
    return YAMLMapping(entries, index: names.index)
  }

  private mutating func merged(
    _ entries: [YAMLMapping.Entry], at place: Int, with value: YAMLNode, names: inout NameIndex
  ) -> [YAMLMapping.Entry] {
    var sources: [YAMLMapping] = []
    func wrong(_ node: YAMLNode) -> Diagnostic {
      Diagnostic(
        .invalidMerge, "`<<` merges a mapping or a list of mappings", at: node.range,
        label: "this is \(node.kindDescription)"
      ).help("if a key named `<<` was meant, quote it")
    }
    switch value.content {
    case .mapping(let mapping): sources.append(mapping)
    case .sequence(let items):
      for item in items {
        if case .mapping(let mapping) = item.content { sources.append(mapping) } else { report(wrong(item)) }
      }
    case .scalar: report(wrong(value))
    }
    // Of several mappings the first that has a key gives its value; keys of the mapping itself come before all of them.
    var all = entries
    for source in sources {
      for entry in source.entries where names.find(entry.name, in: all) == nil {
        all.append(entry)
        names.add(entry.name, at: all.count - 1, of: all)
      }
    }
    return Array(entries[..<place]) + Array(all[entries.count...]) + Array(entries[place...])
  }

  // MARK: Tags

  private mutating func readTag(
    _ tag: UnsafeMutablePointer<UInt8>?, isScalar: Bool, at offsets: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> YAMLTag? {
    guard let tag else { return nil }
    let name = String(cString: tag)
    if name == "!" { return isScalar ? .str : nil }
    let prefix = "tag:yaml.org,2002:"
    let core = name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : nil
    if let core, let known = YAMLTag(rawValue: core) { return known }
    let place = range(SourceScan.property(UInt8(ascii: "!"), in: bytes, offsets.lowerBound..<bytes.count))
    let known = "`!!str`, `!!int`, `!!float`, `!!bool`, `!!null`, `!!map` and `!!seq`"
    var diagnostic: Diagnostic
    switch core {
    case "binary":
      diagnostic = Diagnostic(.unknownTag, "`!!binary` is not supported", at: place)
        .help("write the text as it is, and where bytes are wanted, `{base64: …}`")
    case "timestamp":
      diagnostic = Diagnostic(.unknownTag, "`!!timestamp` is not supported: a time is text here", at: place)
        .help("leave the tag out")
    case let other?:
      diagnostic = Diagnostic(.unknownTag, "`!!\(other)` is not supported", at: place).help("the tags there are: \(known)")
    case nil:
      diagnostic = Diagnostic(.unknownTag, "unknown tag `\(place.text)`", at: place).help("the tags there are: \(known)")
      if isScalar {
        let rest = SourceScan.lineValue(in: bytes, from: place.offsets.lowerBound, inFlow: frames.last?.isFlow ?? false)
        diagnostic = diagnostic.help(
          "if text that starts with `!` was meant, quote it", fix: Diagnostic.Fix(range(rest), SourceScan.quoted(bytes, rest)))
      }
    }
    report(diagnostic)
    return nil
  }

  private mutating func apply(_ tag: YAMLTag, to scalar: YAMLScalar, at place: SourceRange) -> YAMLScalar {
    let kind: YAMLScalar.Kind?
    switch tag {
    case .str: kind = .string
    case .int: kind = ScalarTyping.isInteger(scalar.text.utf8) ? .number : nil
    case .float: kind = ScalarTyping.isNumber(scalar.text.utf8) ? .number : nil
    case .bool: kind = scalar.text == "true" ? .yes : scalar.text == "false" ? .no : nil
    case .null: kind = scalar.text.isEmpty || scalar.text == "null" ? .null : nil
    case .map, .seq: kind = nil
    }
    if let kind { return YAMLScalar(scalar.text, style: scalar.style, kind: kind) }
    let wanted =
      switch tag {
      case .str: "text"
      case .int: "a whole number as JSON writes it"
      case .float: "a number as JSON writes it"
      case .bool: "`true` or `false`"
      case .null: "`null` or nothing"
      case .map: "a mapping"
      case .seq: "a list"
      }
    report(Diagnostic(.invalidTag, "`!!\(tag.rawValue)` needs \(wanted)", at: place))
    return scalar
  }
}
