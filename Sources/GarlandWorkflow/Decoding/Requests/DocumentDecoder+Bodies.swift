import GarlandDiagnostics
import GarlandJSON
import GarlandText
import GarlandYAML

extension DocumentDecoder {
  func decodeBody(_ key: StepKey, _ entry: YAMLMapping.Entry, _ scope: ExpressionScope, isDefault: Bool) -> BodyTemplate? {
    let node = entry.value
    let kind: BodyTemplate.Kind?
    switch key {
    case .json:
      warnOfFileName(node, fix: nil) { "to send the file, write `body: { file: \($0) }` and `headers: { Content-Type: application/json }`" }
      warnOfJSONText(node)
      kind = .json(value(node, scope))
    case .plist: kind = .plist(value(node, scope))
    case .form: kind = decodeNamed(node, .form, scope, isDefault: isDefault, "form").map { .form($0) }
    case .multipart: kind = .multipart(decodeParts(node, scope))
    case .graphql: kind = decodeGraphQL(node, scope)
    default: kind = decodeBytes(node, scope, key: entry.key.range)
    }
    return kind.map { BodyTemplate(kind: $0, key: Located(entry.name, at: entry.key.range), isDefault: isDefault) }
  }

  private func decodeBytes(_ node: YAMLNode, _ scope: ExpressionScope, key: SourceRange) -> BodyTemplate.Kind? {
    if node.scalar != nil {
      warnOfFileName(node)
      return template(node, scope).map { .text($0) }
    }
    guard let mapping = node.mapping, mapping.entries.allSatisfy({ BodyKey.table.key($0.name) != nil }) else {
      diagnostics.report(unexpectedBody(node, key))
      return nil
    }
    let reader = MappingReader(node, mapping, BodyKey.table, into: &diagnostics)
    let slice = decodeSlice(reader, offset: .offset, length: .length, of: .file, scope)
    switch (reader[.file], reader[.base64]) {
    case (let file?, nil): return fileTemplate(file.value, scope, canBeDownloaded: true).map { .file($0, slice) }
    case (nil, let text?): return base64(text.value, scope).map { .base64($0) }
    case (nil, nil) where slice != nil: return nil
    default:
      report(.conflict, "`body` can have only one of `file` and `base64`", at: node.range)
      return nil
    }
  }

  private func unexpectedBody(_ node: YAMLNode, _ key: SourceRange) -> Diagnostic {
    let diagnostic = Diagnostic(
      .wrongType, "expected text, `{ file: PATH }` or `{ base64: TEXT }`, found \(found(node))", at: node.range)
    if let wrapped = WrappedBody(in: node, of: key) { return diagnostic.help(wrapped.help, fix: wrapped.fix) }
    let asJSON = diagnostic.help(
      "to send the mapping as JSON, write `json:`; to send it as a form, write `form:`", fix: .init(key, "json"))
    guard let only = node.mapping?.entries.first, node.mapping?.count == 1,
      MappingReader<BodyKey>.near(only.name, among: BodyKey.table.names) == BodyKey.file.rawValue
    else { return asJSON }
    let name = YAMLQuoting.key(BodyKey.file.rawValue, inPlaceOf: only.key.range.text)
    return asJSON.help("to send a file, write `file: PATH`", fix: .init(only.key.range, name))
  }

  /// Decodes the keys `offset` and `length`, which select the byte range of a file to send. Returns nil if the whole file is sent.
  private func decodeSlice<Key>(
    _ reader: MappingReader<Key>, offset: Key, length: Key, of file: Key, _ scope: ExpressionScope
  ) -> SliceTemplate? {
    guard reader.has(oneOf: [offset, length]) else { return nil }
    if !reader.has(file), let entry = reader[offset] ?? reader[length] {
      report(.conflict, "`\(entry.name)` selects a slice of a file, but there is no `file`", at: entry.key.range)
    }
    return SliceTemplate(
      offset: reader.value(offset).flatMap { setting($0, scope) }, length: reader.value(length).flatMap { setting($0, scope) })
  }

  func base64(_ node: YAMLNode, _ scope: ExpressionScope) -> Template? {
    guard let template = template(node, scope, "base64") else { return nil }
    if let text = template.constantText {
      do {
        _ = try Base64.decode(text.utf8.filter { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 })
      } catch {
        report(
          .badBase64, "the text is not valid base64", at: node.range,
          help: "base64 has letters, digits, `+` and `/`, and is padded with `=`")
      }
    }
    return template
  }

  private func decodeGraphQL(_ node: YAMLNode, _ scope: ExpressionScope) -> BodyTemplate.Kind? {
    if node.scalar != nil {
      return template(node, scope, "a GraphQL document").map {
        .graphql(query: $0, variables: nil, operationName: nil, allowsErrors: false)
      }
    }
    guard let reader = reader(node, GraphQLKey.table, "a GraphQL document") else { return nil }
    guard let query = reader.value(.query) else {
      if !reader.hasRefusedKeys { report(.missingKey, "`graphql` has no `query`", at: startOf(node)) }
      return nil
    }
    return template(query, scope, "a GraphQL document").map {
      .graphql(
        query: $0, variables: reader.value(.variables).map { value($0, scope) },
        operationName: reader.value(.operationName).flatMap { template($0, scope) },
        allowsErrors: reader.value(.allowErrors).flatMap { plainBool($0) } ?? false)
    }
  }

  /// Warns of a text such as `@cover.png` or `file,cover.png;` if the named file exists. curl and Hurl would send the file, but Garland
  /// sends the text.
  private func warnOfFileName(
    _ node: YAMLNode, fix: ((String) -> String)? = { "{ file: \($0) }" },
    _ advice: (String) -> String = { "to send the file, write `{ file: \($0) }`" }
  ) {
    guard let text = node.scalar?.text, text.utf8.count < 256 else { return }
    let name: String
    if text.hasPrefix("@") {
      name = String(text.dropFirst())
    } else if text.hasPrefix("file,"), text.hasSuffix(";") {
      name = String(text.dropFirst("file,".count).dropLast())
    } else {
      return
    }
    guard !name.isEmpty, options.files.files.kind(of: name.hasPrefix("/") ? name : "\(directory)/\(name)") == .file else { return }
    let written = YAMLQuoting.scalar(name)
    diagnostics.report(
      Diagnostic(
        .literalFile, severity: .warning, "the text `\(Words.excerpt(text))` is sent, not the file `\(Words.excerpt(name))`", at: node.range
      )
      .help(advice(written), fix: node.isAlias ? nil : fix.map { Diagnostic.Fix(node.range, $0(written)) }))
  }

  /// Warns of JSON that is written as a text below `json:`, such as `json: '{"a": 1}'`. Other tools send the JSON, but Garland sends the
  /// text, as a JSON string.
  private func warnOfJSONText(_ node: YAMLNode) {
    guard let text = node.scalar?.text, let first = text.utf8.first(where: { $0 > 0x20 }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "["), Self.isJSON(text)
    else { return }
    // A JSON text without escapes in one line is also YAML.
    let isYAML = !text.contains("\n") && !text.contains("\\") && !ExpressionScanner.hasExpression(text) && !node.isAlias
    diagnostics.report(
      Diagnostic(.jsonText, severity: .warning, "the value is a text that contains JSON, and is sent as a JSON string", at: node.range)
        .help(
          "to send the JSON itself, write it without quotes around it and without `|`",
          fix: isYAML ? .init(node.range, text.trimmingPrefix { $0 == " " }.description) : nil))
  }

  /// Whether a text is valid JSON if each of its expressions is replaced with a number.
  private static func isJSON(_ text: String) -> Bool {
    guard let pieces = ExpressionScanner.pieces(of: text) else { return false }
    let filled = pieces.map { if case .literal(let text) = $0 { text } else { "0" } }.joined()
    return (try? JSONValue(parsing: filled)) != nil
  }

  // MARK: Multipart

  private func decodeParts(_ node: YAMLNode, _ scope: ExpressionScope) -> [PartTemplate] {
    switch node.content {
    case .mapping(let mapping):
      return mapping.entries.flatMap { entry -> [PartTemplate] in
        guard entry.key.isScalar else { return [] }
        let name = templates.template(entry.key, scope, into: &diagnostics).asText
        return decodePart(entry.value, name: name, scope).map { [$0] } ?? []
      }
    case .sequence(let items):
      return items.compactMap { item in
        guard let reader = reader(item, PartKey.namedTable, "a part such as `{ name: image, file: cover.png }`") else { return nil }
        if let nameNode = reader.value(.name) {
          guard let name = template(nameNode, scope, "a name") else { return nil }
          return decodePart(reader, name: name, scope)
        }
        // `- image: { file: cover.png }` is the form of the mapping, with one name for each item.
        report(.missingKey, "the part has no `name`", at: startOf(item), help: "write `{ name: image, file: cover.png }`")
        return nil
      }
    case .scalar:
      report(
        .wrongType, "expected a mapping of part names to parts, found \(found(node))", at: node.range,
        help: "write `multipart: { image: { file: cover.png } }`")
      return []
    }
  }

  func decodePart(_ node: YAMLNode, name: Template, _ scope: ExpressionScope) -> PartTemplate? {
    switch node.content {
    case .scalar:
      warnOfFileName(node)
      return template(node, scope).map {
        PartTemplate(name: name, content: .text($0), filename: nil, type: nil, headers: [], range: node.range)
      }
    case .mapping(let mapping): return decodePart(MappingReader(node, mapping, PartKey.table, into: &diagnostics), name: name, scope)
    case .sequence:
      report(
        .wrongType, "expected a part, found a list", at: node.range,
        help: "if a name repeats, write `multipart` as a list: `[{ name: image, file: a.png }, { name: image, file: b.png }]`")
      return nil
    }
  }

  private func decodePart(_ reader: MappingReader<PartKey>, name: Template, _ scope: ExpressionScope) -> PartTemplate? {
    let contents = reader.entries.filter { [.text, .file, .json, .base64].contains($0.key) }
    guard let (key, entry) = contents.first, contents.count == 1 else {
      if contents.count > 1 {
        report(.conflict, "a part can have only one of `text`, `file`, `json` and `base64`", at: contents[1].entry.key.range)
      } else if !reader.hasRefusedKeys {
        report(.missingKey, "the part has no content", at: startOf(reader.node), help: "add `file`, `json`, `base64` or `text`")
      }
      return nil
    }
    let slice = decodeSlice(reader, offset: .offset, length: .length, of: .file, scope)
    let content: PartTemplate.Content?
    switch key {
    case .file: content = fileTemplate(entry.value, scope, canBeDownloaded: true).map { .file($0, slice) }
    case .json: content = .json(value(entry.value, scope))
    case .base64: content = base64(entry.value, scope).map { .base64($0) }
    default: content = template(entry.value, scope).map { .text($0) }
    }
    let type = reader.value(.type).flatMap { node -> Template? in
      let template = template(node, scope, "a media type")
      if let constant = template?.constant, !constant.isNull, MediaTypePattern(constant.stringValue ?? constant.jsonText()) == nil {
        report(.wrongType, "expected a media type such as `image/png`, found \(found(node))", at: node.range)
      }
      return template
    }
    guard let content else { return nil }
    return PartTemplate(
      name: name, content: content, filename: reader.value(.filename).flatMap { template($0, scope) }, type: type,
      headers: reader.value(.headers).map { decodeHeaders($0, scope, isDefault: false, allowsNull: false) } ?? [], range: reader.node.range)
  }

  // MARK: Download

  func decodeDownload(_ node: YAMLNode, _ scope: ExpressionScope) -> DownloadTemplate? {
    if node.scalar != nil {
      return template(node, scope, "the path of a file").map {
        DownloadTemplate(to: $0, usesSuggestedName: false, replace: nil, createDirs: nil, resume: nil, range: node.range)
      }
    }
    guard let reader = reader(node, DownloadKey.table, "the path of a file") else { return nil }
    var isSuggested = false
    if let name = reader.value(.name), let text = plainText(name, "`suggested`") {
      isSuggested = text == "suggested"
      if !isSuggested {
        report(
          .wrongType, "expected `suggested`, found `\(Words.excerpt(text))`", at: name.range,
          help: "to choose the name yourself, write it at the end of `to`")
      }
    }
    guard let toNode = reader.value(.to) else {
      if !reader.hasRefusedKeys {
        report(.missingKey, "`download` has no `to`", at: startOf(node), help: "name the file: `to: out/cover.png`")
      }
      return nil
    }
    guard let to = template(toNode, scope, "the path of a file") else { return nil }
    return DownloadTemplate(
      to: to, usesSuggestedName: isSuggested, replace: reader.value(.replace).flatMap { setting($0, scope) },
      createDirs: reader.value(.createDirs).flatMap { setting($0, scope) },
      resume: reader.value(.resume).flatMap { setting($0, scope) }, range: node.range)
  }

  /// Reports `resume` in a request that has a body or a method other than GET. Only a GET can request a part of a resource (RFC 9110,
  /// section 14.2).
  func checkResume(_ request: RequestTemplate) {
    guard let download = request.download, download.resume?.constant == true else { return }
    if request.methodTemplate == nil, request.method.value != "GET" {
      report(
        .conflict, "only a GET can be resumed, but the method of this request is \(request.method.value)", at: download.range,
        help: "remove `resume`")
    } else if let body = request.body {
      diagnostics.report(
        Diagnostic(.conflict, "a request with a body can't be resumed", at: download.range)
          .note("`\(body.key.value)` is here", at: body.key.range).help("remove `resume`"))
    }
  }
}

extension Template {
  /// A copy of this template as the key of a mapping, which is always text: a constant number, boolean or null becomes text. For example,
  /// the key `1` becomes the text "1".
  var asText: Template {
    switch content {
    case .constant(.number(let number)): Template(.constant(.string(number.text)), at: range)
    case .constant(.bool(let value)): Template(.constant(.string(value ? "true" : "false")), at: range)
    case .constant(.null): Template(.constant("null"), at: range)
    default: self
    }
  }
}
