import GarlandDiagnostics
import GarlandJSON
import GarlandYAML

/// Decodes the loops of steps: `for_each`, `rows` and `matrix`.
extension DocumentDecoder {
  /// Decodes the loop of a step. Returns the loop, and the scope of the step's expressions. If the step has a loop, this scope includes
  /// `item`.
  func decodeLoop(_ reader: MappingReader<StepKey>, _ scope: ExpressionScope) -> (loop: Loop?, scope: ExpressionScope) {
    guard reader.has(oneOf: StepKey.loops) || reader.has(.limit) || reader.has(.label) else {
      // A mistyped loop has already been reported. A second report that `item` is undefined would repeat the mistake.
      return (
        nil, reader.hasKey(near: .forEach) || reader.hasKey(near: .rows) || reader.hasKey(near: .matrix) ? scope.inLoop(.unknown) : scope
      )
    }
    let entries = reader.entries.filter { StepKey.loops.contains($0.key) && !$0.entry.value.isNull }
    let limit = reader[.limit].flatMap { entry in
      setting(entry.value, scope, as: Int.self).map { setting in
        if let value = setting.constant, value < 1 {
          report(.wrongType, "expected a number of at least 1, found \(value)", at: entry.value.range)
        }
        return setting
      }
    }
    guard let (key, entry) = entries.first else {
      if let entry = reader[.limit] {
        report(
          .conflict, "`limit` sets how many items of a loop run at once, but the step has no loop", at: entry.key.range,
          help: "to add a loop, write `for_each`, `rows` or `matrix`; to set the number of retries, write `retry: { limit: 3 }`")
      }
      if let entry = reader[.label] {
        report(
          .conflict, "`label` names the items of a loop, but the step has no loop", at: entry.key.range,
          help: "to add a loop, write `for_each`, `rows` or `matrix`; to describe the step, write `description`")
      }
      return (nil, scope)
    }
    if entries.count > 1 {
      diagnostics.report(
        Diagnostic(
          .conflict, "a step can have only one loop, found `\(entries[1].entry.name)` and `\(entry.name)`", at: entries[1].entry.key.range
        )
        .note("`\(entry.name)` is here", at: entry.key.range).help("to combine several lists, write one `matrix`"))
    }
    let decoded: (source: Loop.Source, items: LoopItems)? =
      switch key {
      case .rows: decodeRows(entry.value, scope)
      case .matrix: decodeMatrix(entry.value, scope)
      default: decodeForEach(entry, scope)
      }
    guard let (source, items) = decoded else { return (nil, scope.inLoop(.unknown)) }
    let inner = scope.inLoop(items)
    let label = reader.value(.label).flatMap { template($0, inner) }
    let name = Located(entry.name, at: entry.key.range)
    return (Loop(source: source, key: name, limit: limit, label: label, itemCount: items.count), inner)
  }

  private func decodeForEach(_ entry: YAMLMapping.Entry, _ scope: ExpressionScope) -> (Loop.Source, LoopItems)? {
    let node = entry.value
    let value = value(node, scope)
    switch value {
    case .list, .constant(.array, _): break
    case .scalar(let template):
      if case .expression(let expression) = template.content, !expression.kinds.contains(.list) {
        report(.wrongType, "expected a list, found \(expression.kinds.words)", at: expression.range)
        return nil
      }
      if case .text = template.content {
        report(
          .wrongType, "expected a list, found text", at: node.range,
          help: "one whole `${…}` keeps the type of its value: remove the text around it")
        return nil
      }
    case .constant, .object:
      // An expression with a mistake has already been reported, and its value is now null.
      if let constant = value.constant, constant.isNull, !node.isNull { return nil }
      refuseLoop(entry)
      return nil
    }
    return (.list(value), LoopItems(of: value, names))
  }

  /// Reports a loop over a value that is not a list. The help of the error depends on the value: the author may have written the name of a
  /// file of rows, a number of repetitions, or several named lists.
  private func refuseLoop(_ entry: YAMLMapping.Entry) {
    let node = entry.value
    let text = node.scalar?.text ?? ""
    let whole = SourceRange(entry.key.range.file, entry.key.range.offsets.lowerBound..<node.range.offsets.upperBound)
    let help: String
    var replacement: String?
    var place = node.range
    if node.mapping != nil {
      help = "to combine several named lists, write `matrix` instead"
      let isMatrix = node.mapping?.entries.allSatisfy { $0.value.sequence != nil } ?? false
      if isMatrix { (replacement, place) = (YAMLQuoting.key("matrix", inPlaceOf: entry.key.range.text), entry.key.range) }
    } else if RowsFormat(fileName: text) != nil {
      let rows = "rows: \(YAMLQuoting.scalar(text))"
      help = "to loop over the rows of a file, write `\(Words.excerpt(rows))`"
      if isFile(text) { (replacement, place) = (rows, whole) }
    } else if case .number(let number) = node.scalar.map(TemplateCompiler.constant), let count = number.intValue, count > 0 {
      help = "to repeat the step, write `${\(count) | range}`"
      replacement = "\"${\(count) | range}\""
    } else if let range = Self.range(text) {
      help = "to loop over the numbers, write `${\(range)}`"
      replacement = "\"${\(range)}\""
    } else if Self.isReference(text) {
      help = "to loop over the items of a value, write `${\(Words.excerpt(text))}`"
      replacement = "\"${\(text)}\""
    } else {
      replacement = Self.list(of: node)
      help = "write `\(Words.excerpt(replacement ?? "[a, b]"))`, or an expression whose value is a list, such as `${vars.NAME}`"
    }
    report(
      .wrongType, "expected a list, found \(found(node))", at: node.range, help: help, replacement: node.isAlias ? nil : replacement,
      fixRange: place)
  }

  /// Whether a text is a reference such as `vars.NAME` or `inputs.NAME` that lacks the `${…}` around it.
  private static func isReference(_ text: String) -> Bool {
    ["vars.", "inputs."].contains { text.hasPrefix($0) && ReservedNames.isName(String(text.dropFirst($0.count))) }
  }

  /// Returns Garland's expression for a range of numbers in the notation of other tools, such as `1..3`. Returns nil for any other text.
  private static func range(_ text: String) -> String? {
    guard let dots = text.firstRange(of: ".."), let first = Int(text[..<dots.lowerBound]), let last = Int(text[dots.upperBound...]),
      first <= last, last < .max
    else { return nil }
    return "\(first) | range(\(last + 1))"
  }

  /// Suggests a YAML list for the text of a scalar: the text is split at its commas, and each part becomes an item. A text without a comma
  /// becomes a list with one item. Returns nil if a comma may be part of an item.
  private static func list(of node: YAMLNode) -> String? {
    guard let text = node.scalar?.text, !node.range.offsets.isEmpty else { return nil }
    guard text.contains(",") else { return "[\(node.range.text)]" }
    let items = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingPrefix { $0 == " " } }
      .map { String($0.reversed().trimmingPrefix { $0 == " " }.reversed()) }
    guard items.allSatisfy({ !$0.isEmpty && $0.allSatisfy { !"\"'`[]{}()$#&*!|>%@\\".contains($0) } }) else { return nil }
    // A text that contains a number is written as a number.
    return "[" + items.map { JSONNumber($0) == nil ? YAMLQuoting.scalar($0) : $0 }.joined(separator: ", ") + "]"
  }

  private func decodeMatrix(_ node: YAMLNode, _ scope: ExpressionScope) -> (Loop.Source, LoopItems)? {
    guard let mapping = mapping(node, "a mapping of names to lists, such as `{ size: [s, m], color: [red] }`") else { return nil }
    guard !mapping.isEmpty else {
      report(.missingKey, "`matrix` has no lists", at: node.range, help: "write `{ size: [s, m] }`")
      return nil
    }
    var axes: [(name: Located<String>, values: ValueTemplate)] = []
    for entry in mapping.entries {
      let value = value(entry.value, scope)
      switch value {
      case .list, .constant(.array, _): break
      case .scalar(let template):
        if case .expression(let expression) = template.content, expression.kinds.contains(.list) { break }
        report(.wrongType, "expected a list of values, found text", at: entry.value.range)
      case .constant, .object:
        if value.constant?.isNull == true, !entry.value.isNull { break }
        report(
          .wrongType, "expected a list of values, found \(found(entry.value))", at: entry.value.range,
          help: entry.value.scalar.map { _ in "write `\(Words.excerpt(Self.list(of: entry.value) ?? "[a, b]"))`" },
          replacement: entry.value.isAlias ? nil : Self.list(of: entry.value))
      }
      axes.append((Located(entry.name, at: entry.key.range), value))
    }
    var count: Int? = 1
    for axis in axes {
      guard let product = count, let own = LoopItems(of: axis.values, names).count else {
        count = nil
        break
      }
      let (next, overflows) = product.multipliedReportingOverflow(by: own)
      count = overflows ? nil : next
    }
    return (.matrix(axes), LoopItems(names: axes.map(\.name.value), count: count))
  }

  private func decodeRows(_ node: YAMLNode, _ scope: ExpressionScope) -> (Loop.Source, LoopItems)? {
    var fileNode = node
    var format: RowsFormat?
    if node.mapping != nil {
      guard let reader = reader(node, RowsKey.table, "a file of rows") else { return nil }
      guard let named = reader.value(.file) else {
        report(.missingKey, "`rows` has no `file`", at: startOf(node))
        return nil
      }
      fileNode = named
      if let given = reader.value(.format) {
        guard let word = word(given, of: RowsFormat.self) else { return nil }
        format = word
      }
    }
    guard let file = fileTemplate(fileNode, scope, canBeDownloaded: true) else { return nil }
    if format == nil, let path = file.path.constantText, RowsFormat(fileName: path) == nil {
      report(
        .wrongType, "the format of the rows is unknown: `\(Words.excerpt(path))` has no known extension", at: fileNode.range,
        help:
          "`.csv`, `.tsv`, `.jsonl` and `.json` are recognised; for other extensions, write `rows: { file: \(Words.excerpt(path)), format: csv }`"
      )
      return nil
    }
    return (.rows(file, format), checkRows(file, format, fileNode.range))
  }

  /// Reads and checks a file of rows if the file exists, so that its errors are reported before any request is sent. Returns the member
  /// names and the number of the rows, as far as they are known.
  private func checkRows(_ file: FileTemplate, _ format: RowsFormat?, _ range: SourceRange) -> LoopItems {
    guard let path = file.resolved, let format = format ?? RowsFormat(fileName: path) else { return .unknown }
    do throws(RowsError) {
      let rows = try RowsFile.read(path, format, options.files.files)
      if rows.count == 0 {
        diagnostics.report(
          Diagnostic(
            .noRows, severity: .warning, "`\(Words.excerpt(file.path.constantText ?? path))` has no rows, so the step sends nothing",
            at: range))
      }
      return LoopItems(names: rows.names, count: rows.count)
    } catch {
      report(.badRows, "`\(Words.excerpt(file.path.constantText ?? path))`: \(error.message)", at: range, help: error.help)
      return .unknown
    }
  }
}
