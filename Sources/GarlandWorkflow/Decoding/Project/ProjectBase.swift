import GarlandYAML

/// The settings of a project as one document inherits them.
///
/// Documents that the project's `use:` lists, such as a login, are shared by all other documents. They inherit the project too, but without
/// `use` and without entries that refer to one of these documents: otherwise the login would depend on itself.
struct ProjectBase {
  private let project: Project
  /// The names that the project gives to the shared documents, if the inheriting document must not use them; otherwise empty.
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

  /// Whether an `auth` setting refers to a hidden entry: an entry of a hidden document, or a project entry that refers to a hidden
  /// document.
  private func isHidden(auth node: YAMLNode) -> Bool {
    guard let name = node.scalar?.text else { return false }
    if hidden.contains(where: { name.hasPrefix($0 + ".") }) { return true }
    return project.entries[.auth]?.value.mapping?[name].map { mentions($0) } ?? false
  }

  /// Whether an expression in the node refers to a hidden document.
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
