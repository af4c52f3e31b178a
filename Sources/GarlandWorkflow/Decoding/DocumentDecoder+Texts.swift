import GarlandJSON
import GarlandYAML

/// Decodes the predicates `json` and `date`, which parse the checked text as JSON or as a date.
extension DocumentDecoder {
  func decodeSelected(_ node: YAMLNode, _ scope: ExpressionScope) -> [SelectedPredicates]? {
    guard let mapping = mapping(node, "a mapping of JSONPaths to values, such as `{ $.id: 7 }`") else { return nil }
    if mapping.isEmpty {
      report(
        .testsNothing, "`json` is empty, so every JSON body passes", at: node.range,
        help: "to expect any JSON, write `{ $: { exists: true } }`",
        replacement: "{ $: { exists: true } }")
    }
    return mapping.entries.compactMap { entry in
      guard let path = jsonPath(entry.key, expecting: entry.value) else { return nil }
      return SelectedPredicates(path: path, predicates: decodePredicates(entry.value, CheckSubject(path), scope))
    }
  }

  func decodeDate(_ node: YAMLNode, _ scope: ExpressionScope) -> DateTemplate? {
    if let text = node.scalar?.text, !node.isNull, Duration(workflowText: text) != nil {
      report(
        .wrongType, "expected time limits such as `{ within: 5m }`, found \(found(node))", at: node.range,
        replacement: node.isAlias ? nil : "{ within: \(text) }")
      return nil
    }
    guard let reader = reader(node, DateKey.table, "time limits such as `{ within: 5m }`") else { return nil }
    if reader.entries.isEmpty {
      if !reader.hasRefusedKeys {
        report(.testsNothing, "`date` is empty", at: node.range, help: "write the expected time, such as `{ within: 5m }`")
      }
      return nil
    }
    let before = reader[.before].flatMap { time($0.value, scope) }
    let after = reader[.after].flatMap { time($0.value, scope) }
    if let last = before?.constant.flatMap({ Timestamp(reading: $0) }), let first = after?.constant.flatMap({ Timestamp(reading: $0) }),
      last.nanoseconds <= first.nanoseconds
    {
      report(.neverHolds, "no time can meet all these limits", at: node.range)
    }
    return DateTemplate(
      before: before, after: after, at: reader[.at].flatMap { time($0.value, scope) },
      within: reader[.within].flatMap { setting($0.value, scope) }, format: reader[.format].flatMap { dateFormat($0.value) })
  }

  /// Decodes a point in time with which the predicate `date` compares the checked date. For an invalid time, reports an error and returns
  /// nil.
  private func time(_ node: YAMLNode, _ scope: ExpressionScope) -> ValueTemplate? {
    guard isScalar(node, "a time such as `2026-01-31T12:00:00Z`") else { return nil }
    let value = value(node, scope)
    guard let constant = value.constant, Timestamp(reading: constant) == nil else { return value }
    // An expression with a mistake has already been reported.
    if constant.isNull, !node.isNull { return nil }
    let isNow = constant.stringValue == "now"
    report(
      .neverHolds, "expected a time such as `2026-01-31T12:00:00Z`, found \(found(node))",
      at: node.range,
      help: isNow ? "for the current time, write `${now()}`" : nil, replacement: isNow ? YAMLQuoting.quoted("${now()}") : nil)
    return nil
  }

  private func dateFormat(_ node: YAMLNode) -> String? {
    guard let format = plainText(node, "a time format") else { return nil }
    if Timestamp.isReadable(format) { return format }
    report(.neverHolds, ExpressionNode.unreadableFormat(format), at: node.range, help: ExpressionNode.readableFormats)
    return nil
  }
}
