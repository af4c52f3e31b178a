import GarlandDiagnostics
import GarlandJSON
import GarlandYAML

/// Decodes `expect.error` and `expect.snapshot`.
extension DocumentDecoder {
  func decodeError(_ node: YAMLNode, _ scope: ExpressionScope) -> ErrorTemplate? {
    guard node.mapping != nil else { return ErrorTemplate(names: decodeList(node, scope), message: []) }
    guard let reader = reader(node, ErrorKey.table, "an error such as `refused`") else { return nil }
    if reader.entries.isEmpty, !reader.hasRefusedKeys {
      report(.missingKey, "this mapping is empty", at: node.range, help: "to accept any error, write `error: any`", replacement: "any")
    }
    return ErrorTemplate(
      names: reader.value(.kind).map { decodeList($0, scope) } ?? [],
      message: reader.value(.message).map { decodePredicates($0, .text("the error's message"), scope) } ?? [])
  }

  /// Reports `extract`, `download` and checks of a response in a step that expects an error, since such a step has no response. Removes all
  /// its expectations except `error`.
  func settleExpectedError(_ settings: inout StepSettings, _ reader: MappingReader<StepKey>) {
    guard let own = settings.expected.groups.first(where: { $0.key.isSame(as: .error) })?.expectations.first else { return }
    for (key, expectations) in settings.expected.groups where key != .error {
      guard let other = expectations.first(where: { !$0.isDefault }) else { continue }
      diagnostics.report(
        Diagnostic(.conflict, "`\(key.rawValue)` checks a response, but with `error` the step expects none", at: other.keyRange)
          .note("`error` is here", at: own.keyRange).help("check the error and the response in separate steps"))
    }
    settings.expected.groups.removeAll { $0.key != .error }
    for key in [StepKey.extract, .download] {
      guard let entry = reader[key] else { continue }
      diagnostics.report(
        Diagnostic(.conflict, "`\(entry.name)` needs a response, but with `error` the step expects none", at: entry.key.range)
          .note("`error` is here", at: own.keyRange))
    }
  }

  func decodeSnapshot(_ node: YAMLNode, _ scope: ExpressionScope) -> SnapshotTemplate? {
    guard node.mapping != nil else { return snapshotFile(node, scope).map { SnapshotTemplate(file: $0, ignored: []) } }
    guard let reader = reader(node, SnapshotKey.table, "the path of a file") else { return nil }
    guard let fileNode = reader.value(.file) else {
      if !reader.hasRefusedKeys {
        report(.missingKey, "`snapshot` has no `file`", at: startOf(node), help: "write `snapshot: { file: snapshots/books.json }`")
      }
      return nil
    }
    var ignored: [JSONPath] = []
    if let node = reader.value(.ignore) {
      for item in node.sequence ?? [node] {
        if let path = jsonPath(item) { ignored.append(path) }
      }
    }
    return snapshotFile(fileNode, scope).map { SnapshotTemplate(file: $0, ignored: ignored) }
  }

  /// Decodes the path of a snapshot file. The file need not exist, since a run with `--update-snapshots` writes it; but its path must be in
  /// an allowed folder.
  private func snapshotFile(_ node: YAMLNode, _ scope: ExpressionScope) -> Template? {
    guard let written = template(node, scope, "the path of a file") else { return nil }
    let template = pathOfProject(written)
    guard let constant = template.constant else { return template }
    guard case .string(let path) = constant, !path.isEmpty else {
      if !constant.isNull { report(.wrongType, "expected the path of a file, found \(Words.found(constant))", at: node.range) }
      return nil
    }
    do {
      let resolved = try options.files.locate(path, from: directory)
      mentioned.named.add(resolved)
      if options.files.files.kind(of: resolved) == .folder {
        report(.missingFile, "`\(Words.excerpt(path))` is a folder, not a file", at: node.range)
      }
    } catch {
      guard error.isOutside else { return template }
      report(
        .fileOutside, "`\(Words.excerpt(path))` leads outside the project", at: node.range,
        help: "allow the folder of the file with `--allow-path DIR`")
    }
    return template
  }
}
