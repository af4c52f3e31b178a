import CYAML
import GarlandDiagnostics

/// Builds trees from libyaml's events without recursion: `frames` holds the open collections,
/// `nodes` their finished children.
struct Composer {
  let file: SourceFile
  let limits: YAMLLimits
  /// For each indentation that contains tabs, the number of columns that the author of the document probably intended. The keys are the
  /// bytes of the indentations. The numbers come from the fixes for earlier lines.
  let indentations: [[UInt8]: Int]
  var diagnostics = DiagnosticList()
  /// Whether a syntax error ended the reading of the YAML text. The last diagnostic reports this error.
  private(set) var isBroken = false
  private(set) var documents: [YAMLDocument] = []

  /// A collection that has begun, and whose end has not been read yet.
  struct Frame {
    let isMapping: Bool
    let isFlow: Bool
    /// The index of the collection's first child in `nodes`.
    let base: Int
    let start: Int
    let tag: YAMLTag?
    let anchor: String?
    /// The number of nodes in the collection, including nested nodes. An alias counts as all nodes of its target.
    var weight = 1
    /// The number of nested levels in the collection. An alias has as many levels as its target.
    var height = 1
  }

  /// An anchor (`&name`) and its node.
  private struct Anchor {
    /// The number of the anchored node in the tree; nil if this node is a collection that has not ended.
    var node: Int32?
    var weight = 1
    var height = 0
    var place: SourceRange
  }

  private(set) var tree: YAMLTreeBuilder
  private var nodes: [Int32] = []
  private(set) var frames: [Frame] = []
  private var anchors: [String: Anchor] = [:]
  private var root: Int32?
  private var documentStart: Int?
  private var isStopped = false
  private var errors = 0
  private var written = 0
  private var expanded = 0
  /// The offset at which the parser's previous event ended.
  private var previousEnd = 0
  /// The style and the byte range of the previous scalar. Both help to explain a syntax error after this scalar.
  private(set) var previousScalar: (style: YAMLScalar.Style, range: Range<Int>)?

  init(file: SourceFile, limits: YAMLLimits, indentations: [[UInt8]: Int] = [:]) {
    self.file = file
    self.limits = limits
    self.indentations = indentations
    tree = YAMLTreeBuilder(file, expecting: file.bytes.count / 8)
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
          isBroken = true
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
      diagnostics.report(Diagnostic(.tooManyErrors, "too many errors: the rest of `\(file.name)` was not checked", at: nil))
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
      if !documents.isEmpty { tree = YAMLTreeBuilder(file) }
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
    let root = root.map { YAMLNode(tree.finish(), $0) }
    let start = documentStart ?? root?.range.offsets.lowerBound ?? previousEnd
    let end = root?.range.offsets.upperBound ?? (documentStart.map { $0 + 3 } ?? previousEnd)
    // For a bare `---`, libyaml reports an empty scalar, although the document has no value.
    let isBare = root.map { $0.isNull && $0.range.offsets.isEmpty && $0.tag == nil && $0.anchor == nil } ?? false
    documents.append(YAMLDocument(file: file, root: isBare ? nil : root, range: range(min(start, end)..<end)))
  }

  private mutating func scalar(
    _ value: UnsafeBufferPointer<UInt8>, style: yaml_scalar_style_t, tag: UnsafeMutablePointer<UInt8>?,
    anchor: UnsafeMutablePointer<UInt8>?, _ offsets: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>
  ) {
    var start = offsets.lowerBound
    var end = offsets.upperBound
    var name: String?
    var yamlTag: YAMLTag?
    if tag != nil || anchor != nil {
      let place = SourceScan.skipProperties(in: bytes, offsets, count: (tag == nil ? 0 : 1) + (anchor == nil ? 0 : 1))
      yamlTag = readTag(tag, isScalar: true, at: offsets, bytes)
      name = anchor.map { String(cString: $0) }
      start = place
    } else if offsets.isEmpty, style == YAML_PLAIN_SCALAR_STYLE {
      start = SourceScan.emptyPlace(in: bytes, from: previousEnd, to: start)
      end = start
    }
    let scalar: (style: YAMLScalar.Style, kind: YAMLScalar.Kind)
    switch style {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: scalar = (.singleQuoted, .string)
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: scalar = (.doubleQuoted, .string)
    case YAML_LITERAL_SCALAR_STYLE:
      scalar = (.literal, .string)
      end = SourceScan.blockEnd(in: bytes, start..<end)
    case YAML_FOLDED_SCALAR_STYLE:
      scalar = (.folded, .string)
      end = SourceScan.blockEnd(in: bytes, start..<end)
    default:
      scalar = (.plain, ScalarTyping.kind(ofPlain: value))
    }
    let place = start..<max(start, end)
    let kind = yamlTag.map { apply($0, to: value, kind: scalar.kind, at: range(place)) } ?? scalar.kind
    previousScalar = (scalar.style, place)
    previousEnd = max(previousEnd, place.upperBound)
    let node = tree.addScalar(value, style: scalar.style, kind: kind, tag: yamlTag, anchor: name, at: place, bytes)
    if let name { anchors[name] = Anchor(node: node, place: range(place)) }
    switch scalar.style {
    case .plain: checkPlain(value, place, bytes)
    case .literal, .folded: checkBlock(isEmpty: value.isEmpty, place, bytes)
    case .singleQuoted, .doubleQuoted: break
    }
    add(node, weight: 1, height: 0)
  }

  private mutating func alias(_ name: String, _ offsets: Range<Int>) {
    previousEnd = max(previousEnd, offsets.upperBound)
    let place = range(offsets)
    guard let anchor = anchors[name] else {
      var diagnostic = Diagnostic(.undefinedAlias, "`*\(name)` refers to an anchor that is not defined before it", at: place)
      if let near = Suggestion.nearest(to: name, in: anchors.keys.sorted()) {
        diagnostic = diagnostic.help("did you mean `*\(near)`?", fix: Diagnostic.Fix(place, "*\(near)"))
      } else {
        diagnostic = diagnostic.help("if the text `*\(name)` is meant, put it in quotes", fix: Diagnostic.Fix(place, "'*\(name)'"))
      }
      report(diagnostic)
      return add(tree.addAlias(name, of: nil, at: offsets), weight: 1, height: 0)
    }
    guard let node = anchor.node else {
      report(
        Diagnostic(.recursiveAlias, "`*\(name)` is inside the value that it refers to", at: place)
          .note("`&\(name)` is here", at: anchor.place))
      return add(tree.addAlias(name, of: nil, at: offsets), weight: 1, height: 0)
    }
    guard frames.count + anchor.height <= limits.depth else {
      return stop(
        Diagnostic(.nestedTooDeep, "with the value of `*\(name)`, the document is nested more than \(limits.depth) levels deep", at: place)
          .note("`&\(name)` is here", at: tree.range(of: node)))
    }
    guard expand(by: anchor.weight, at: place) else { return }
    add(tree.addAlias(name, of: node, at: offsets), weight: anchor.weight, height: anchor.height)
  }

  /// Counts the nodes that an alias or merge adds. If all aliases and merges together add too many nodes, reports an error and returns
  /// false.
  private mutating func expand(by weight: Int, at place: SourceRange) -> Bool {
    expanded += weight
    guard expanded > max(limits.expandedNodes, 10 * written) else { return true }
    stop(
      Diagnostic(
        .aliasExpansion, "the aliases up to here expand to more than \(limits.expandedNodes) values", at: place,
        label: "this alias exceeds the limit"
      ).help("write the values without aliases: nested aliases multiply the number of values"))
    return false
  }

  private mutating func open(
    isMapping: Bool, isFlow: Bool, tag: UnsafeMutablePointer<UInt8>?, anchor: UnsafeMutablePointer<UInt8>?, _ offsets: Range<Int>,
    _ bytes: UnsafeBufferPointer<UInt8>
  ) {
    var start = offsets.lowerBound
    var name: String?
    var yamlTag: YAMLTag?
    if tag != nil || anchor != nil {
      // libyaml's event of a block ends where its first child starts, which may be before its tag
      // and anchor end.
      start = SourceScan.skipProperties(in: bytes, start..<bytes.count, count: (tag == nil ? 0 : 1) + (anchor == nil ? 0 : 1))
      yamlTag = readTag(tag, isScalar: false, at: offsets, bytes)
      name = anchor.map { String(cString: $0) }
      if let yamlTag, yamlTag != (isMapping ? .map : .seq) {
        report(
          Diagnostic(
            .invalidTag, "`!!\(yamlTag.rawValue)` cannot be \(isMapping ? "a mapping" : "a list")",
            at: range(SourceScan.property(UInt8(ascii: "!"), in: bytes, offsets.lowerBound..<start))))
      }
    }
    let place = range(start..<min(start + 1, bytes.count))
    guard frames.count < limits.depth else {
      return stop(Diagnostic(.nestedTooDeep, "the value is nested more than \(limits.depth) levels deep", at: place))
    }
    frames.append(Frame(isMapping: isMapping, isFlow: isFlow, base: nodes.count, start: start, tag: yamlTag, anchor: name))
    if let name { anchors[name] = Anchor(node: nil, place: place) }
    previousEnd = max(previousEnd, isFlow ? start + 1 : start)
  }

  private mutating func close(end: Int) {
    guard let frame = frames.popLast() else { return }
    // libyaml's end mark of a block is the start of the next item; the block itself ends with its
    // last child.
    let last = nodes.count > frame.base ? nodes.last.map { tree.end(of: $0) } ?? frame.start : frame.start
    let place = frame.start..<max(frame.start, frame.isFlow ? end : last)
    previousEnd = max(previousEnd, place.upperBound)
    let node: Int32
    if frame.isMapping {
      let (children, index) = pairs(of: frame)
      node = tree.addCollection(children, isMapping: true, index: index, tag: frame.tag, anchor: frame.anchor, at: place)
    } else {
      node = tree.addCollection(nodes[frame.base...], isMapping: false, index: nil, tag: frame.tag, anchor: frame.anchor, at: place)
    }
    nodes.removeLast(nodes.count - frame.base)
    // The anchor is set only if no node inside has taken its name in the meantime.
    if let name = frame.anchor, let anchor = anchors[name], anchor.node == nil {
      anchors[name] = Anchor(node: node, weight: frame.weight, height: frame.height, place: range(place))
    }
    add(node, weight: frame.weight, height: frame.height)
  }

  private mutating func add(_ node: Int32, weight: Int, height: Int) {
    written += 1
    let last = frames.count - 1
    guard last >= 0 else {
      root = node
      return
    }
    frames[last].weight += weight
    frames[last].height = max(frames[last].height, height + 1)
    if frames[last].isMapping, (nodes.count - frames[last].base) % 2 == 0 { checkKey(node) }
    nodes.append(node)
  }

  // MARK: Mappings

  /// Returns the children of a mapping as alternating keys and values. Entries merged with `<<` are included, and duplicate keys are
  /// removed. If there are many keys, also returns an index of them.
  private mutating func pairs(of frame: Frame) -> (children: ArraySlice<Int32>, index: KeyIndex?) {
    var names = NameIndex()
    var pairs: [Int32] = []
    var merges: [(at: Int, key: Int32, value: Int32)] = []
    var isAsWritten = (nodes.count - frame.base).isMultiple(of: 2)
    var position = frame.base
    while position + 1 < nodes.count {
      let key = nodes[position]
      let value = nodes[position + 1]
      defer { position += 2 }
      guard tree.isScalar(key) else {
        if isAsWritten { pairs = Array(nodes[frame.base..<position]) }
        isAsWritten = false
        continue
      }
      let isMerge = tree.isMergeKey(key)
      let first =
        isMerge
        ? merges.first?.key
        : isAsWritten ? names.find(key, in: nodes, frame.base..<position, tree) : names.find(key, in: pairs, 0..<pairs.count, tree)
      if let first {
        if isAsWritten { pairs = Array(nodes[frame.base..<position]) }
        isAsWritten = false
        reportRepeated(key, first, isMerge: isMerge)
        continue
      }
      if frame.isFlow { checkMissingSpace(key: key, value: value) }
      if isMerge {
        if isAsWritten { pairs = Array(nodes[frame.base..<position]) }
        isAsWritten = false
        merges.append((pairs.count, key, value))
      } else if isAsWritten {
        names.add(key, besides: nodes, frame.base..<position, tree)
      } else {
        names.add(key, besides: pairs, 0..<pairs.count, tree)
        pairs.append(key)
        pairs.append(value)
      }
    }
    guard !isAsWritten else { return (nodes[frame.base...], names.index) }
    if let merge = merges.first {
      pairs = merged(pairs, at: merge.at, with: merge.value, names: &names)
      return (pairs[...], NameIndex.index(of: pairs, tree))
    }
    return (pairs[...], names.index)
  }

  private mutating func reportRepeated(_ key: Int32, _ first: Int32, isMerge: Bool) {
    var diagnostic = Diagnostic(.duplicateKey, "duplicate key `\(tree.text(of: key))`", at: tree.range(of: key), label: "defined again")
      .note("first defined here", at: tree.range(of: first))
    if isMerge { diagnostic = diagnostic.help("merge several mappings with a list: `<<: [*a, *b]`") }
    report(diagnostic)
  }

  private mutating func merged(_ pairs: [Int32], at place: Int, with value: Int32, names: inout NameIndex) -> [Int32] {
    var sources: [Int32] = []
    switch tree.kind(of: value) {
    case .mapping: sources.append(value)
    case .sequence:
      for item in tree.children(of: value) {
        if tree.kind(of: item) == .mapping { sources.append(item) } else { reportUnmergeable(item) }
      }
    case .scalar: reportUnmergeable(value)
    }
    // If several merged mappings have a key, the first mapping's value is used. The mapping's own keys take precedence over the keys of all
    // merged mappings.
    var all = pairs
    for source in sources {
      let children = Array(tree.children(of: source))
      for position in stride(from: 0, to: children.count, by: 2)
      where names.find(children[position], in: all, 0..<all.count, tree) == nil {
        names.add(children[position], besides: all, 0..<all.count, tree)
        all.append(children[position])
        all.append(children[position + 1])
      }
    }
    return Array(pairs[..<place]) + Array(all[pairs.count...]) + Array(pairs[place...])
  }

  private mutating func reportUnmergeable(_ node: Int32) {
    report(
      Diagnostic(
        .invalidMerge, "`<<` can merge only a mapping or a list of mappings", at: tree.range(of: node),
        label: "this is \(tree.kindDescription(of: node))"
      ).help("if a key named `<<` is meant, put it in quotes"))
  }
}
