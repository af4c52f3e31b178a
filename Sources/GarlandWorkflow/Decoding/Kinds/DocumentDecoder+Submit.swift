import GarlandDiagnostics
import GarlandYAML

extension KindDecoders {
  static var submit: Entry { SubmitTemplate.self }
}

extension SubmitTemplate: DecodedKind {
  static func decode(_ entry: YAMLMapping.Entry, in source: StepSource) -> BareAction? {
    source.decoder.decodeSubmit(entry, source.reader, source.scope)
  }

  func complete(_ request: inout RequestTemplate, _ settings: StepSettings, in source: StepSource) {
    // The form determines query and body.
    if settings.saysWhatIsSent { request.take(params: nil, query: nil, body: nil, cookies: settings.cookies, auth: settings.auth) }
    source.decoder.complete(&request, settings, source.reader, source.scope)
  }

  func check(_ request: RequestTemplate, _ repetition: Repetition, in source: StepSource) {
    source.decoder.checkResponse(request, repetition, source.reader)
  }

  func addReferences(
    _ request: RequestTemplate, _ settings: StepSettings, methodKey: String, to collector: inout ReferenceCollector
  ) {
    collector.add(self)
    collector.add(request, settings, methodKey: methodKey)
  }

  func action(_ request: RequestTemplate) -> StepAction { .submit(self, request) }
}

extension DocumentDecoder {
  /// Decodes `submit:`, which submits an HTML form of an earlier response. The form determines the
  /// method and the URL of the request.
  fileprivate func decodeSubmit(
    _ entry: YAMLMapping.Entry, _ reader: MappingReader<StepKey>, _ scope: ExpressionScope
  ) -> BareAction? {
    for (key, other) in reader.entries
    where StepKey.bodies.contains(key) || StepKey.parameterOptions.contains(key) || [.params, .query].contains(key) {
      diagnostics.report(
        Diagnostic(.conflict, "`\(other.name)` can't be used with `submit`, because the form determines what is sent", at: other.key.range)
          .help("to fill in the form, write `submit: { fields: {…} }`"))
    }
    guard let reader = self.reader(entry.value, SubmitKey.table, "a form such as `{ from: page, fields: { user: alice } }`") else {
      return nil
    }
    guard let fromNode = reader.value(.from) else {
      if !reader.hasRefusedKeys {
        report(.missingKey, "`submit` has no `from`", at: startOf(entry.value), help: "name the step whose response has the form")
      }
      return nil
    }
    let fields = reader.value(.fields).map { decodeFields($0, scope) } ?? []
    let button = reader.value(.button).flatMap { node in
      plainText(node, "the name of a button").map { Located($0 == "none" ? "" : $0, at: node.range) }
    }
    let formNode = reader.value(.form)
    guard let form = formNode.map({ decodeForm($0) }) ?? .only, let id = plainText(fromNode, "the id of a step"),
      let step = stepOrdinal(id, fromNode.range, besides: scope.step)
    else { return nil }
    if step == scope.step {
      report(.conflict, "a step can't submit a form from its own response: `from` must name an earlier step", at: fromNode.range)
      return nil
    }
    names.neededByOthers[step].formUnion([.markup, .facts])
    let url = URLTemplate(pieces: [], source: "the form of \(id)", range: entry.value.range)
    let submit = SubmitTemplate(
      from: step, fromID: Located(id, at: fromNode.range), form: form, formRange: formNode?.range ?? entry.key.range, fields: fields,
      button: button)
    return BareAction(kind: submit, request: RequestTemplate(method: Located(entry.name, at: entry.key.range), url: url))
  }

  private func decodeForm(_ node: YAMLNode) -> SubmitTemplate.Form? {
    guard let text = plainText(node, "the name of a form, its id, or an XPath") else { return nil }
    guard ["/", "(", "."].contains(where: { text.hasPrefix($0) }) || text.hasPrefix("id(") || text.hasPrefix("form[") else {
      // In CSS, `#login` selects the element with the id `login`.
      return .named(text.hasPrefix("#") ? String(text.dropFirst()) : text)
    }
    return xpath(node).map { .path($0) }
  }

  private func decodeFields(_ node: YAMLNode, _ scope: ExpressionScope) -> [SubmitTemplate.Field] {
    guard let mapping = mapping(node, "a mapping of field names to values") else { return [] }
    return mapping.entries.compactMap { entry in
      guard entry.key.isScalar else { return nil }
      let name = templates.template(entry.key, scope, into: &diagnostics).asText
      if entry.value.mapping != nil {
        return decodeFile(entry.value, name: name, scope).map {
          SubmitTemplate.Field(name: name, value: .file($0), range: entry.value.range)
        }
      }
      return SubmitTemplate.Field(name: name, value: .value(value(entry.value, scope)), range: entry.value.range)
    }
  }

  private func decodeFile(_ node: YAMLNode, name: Template, _ scope: ExpressionScope) -> PartTemplate? {
    guard let part = decodePart(node, name: name, scope) else { return nil }
    if !part.headers.isEmpty { report(.conflict, "a file in a form can't have header fields of its own", at: node.range) }
    return part
  }
}
