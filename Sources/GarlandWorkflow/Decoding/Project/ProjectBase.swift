import GarlandYAML

/// The settings that one document inherits from its project.
///
/// Documents listed in the project's `use:`, such as a login, are shared: all other documents can use them. A shared document does not
/// inherit `use`, nor the entries of the project that refer to a shared document. Otherwise a login would depend on itself.
struct ProjectBase {
  private let project: Project
  /// The names of the documents under the project's `use:` that the inheriting document cannot use. If the inheriting document is one of
  /// the ``Project/sharedDocuments``, the list contains all documents under `use:`; otherwise it is empty.
  private let hidden: [String]

  init(_ project: Project, isShared: Bool) {
    self.project = project
    hidden = isShared ? project.entries[.use]?.value.mapping?.entries.map(\.name) ?? [] : []
  }

  /// The project's entry for a key; nil if there is no such entry.
  subscript(key: RootKey) -> YAMLMapping.Entry? {
    guard let entry = ProjectKey(rawValue: key.rawValue).flatMap({ project.entries[$0] }) else { return nil }
    guard !hidden.isEmpty else { return entry }
    switch key {
    case .use: return nil
    case .auth: return visible(entry) { mentions($0.value) }
    case .defaults: return visible(entry) { mentions($0.value) || ($0.name == StepKey.auth.rawValue && isHidden(auth: $0.value)) }
    default: return entry
    }
  }

  private func visible(_ entry: YAMLMapping.Entry, without isHidden: (YAMLMapping.Entry) -> Bool) -> YAMLMapping.Entry {
    guard let mapping = entry.value.mapping else { return entry }
    return YAMLMapping.Entry(key: entry.key, value: entry.value.with(YAMLMapping(of: mapping.entries.filter { !isHidden($0) })))
  }

  /// Whether the value of an `auth` setting is the name of an entry that the document must not inherit. Such an entry is in one of the
  /// ``hidden`` documents, or it is in the project file and refers to a hidden document.
  private func isHidden(auth node: YAMLNode) -> Bool {
    guard let name = node.scalar?.text else { return false }
    if hidden.contains(where: { name.hasPrefix($0 + ".") }) { return true }
    return project.entries[.auth]?.value.mapping?[name].map { mentions($0) } ?? false
  }

  /// Whether the node contains an expression that refers to one of the ``hidden`` documents. A document that inherits the node cannot use
  /// these documents.
  private func mentions(_ node: YAMLNode) -> Bool {
    guard node.hasExpression else { return false }
    let text = node.range.text
    return hidden.contains { name in
      text.ranges(of: name + ".").contains { range in
        guard range.lowerBound > text.startIndex else { return true }
        let before = text[text.index(before: range.lowerBound)]
        return !(before.isLetter || before.isNumber || before == "_" || before == "-" || before == ".")
      }
    }
  }
}
