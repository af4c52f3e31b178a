import GarlandDiagnostics
import GarlandYAML

/// A profile as a document or a project writes it.
struct WrittenProfile {
  let name: Located<String>
  let node: YAMLNode
  let vars: YAMLNode?
  let secrets: YAMLNode?
  let extends: YAMLNode?
  let confirm: YAMLNode?
  /// What goes over `defaults`.
  let settings: [YAMLMapping.Entry]

  /// Reports every key that a profile can't have; nil if it is no mapping.
  init?(_ entry: YAMLMapping.Entry, _ decoder: DocumentDecoder) {
    // Nothing is a profile that changes nothing.
    let empty = entry.value.with(YAMLMapping(of: []))
    let value = entry.value.isNull ? empty : entry.value
    guard let mapping = decoder.mapping(value, "a profile such as `{ vars: { user: bob } }`") else { return nil }
    name = Located(entry.name, at: entry.key.range)
    node = value
    func own(_ key: ProfileKey) -> YAMLNode? { mapping[key.rawValue].flatMap { $0.isNull ? nil : $0 } }
    vars = own(.vars)
    secrets = own(.secrets)
    extends = own(.extends)
    confirm = own(.confirm)
    let rest = mapping.entries.filter { ProfileKey(rawValue: $0.name) == nil }
    settings = rest.filter { StepKey.defaultsTable.key($0.name) != nil }
    guard rest.count > settings.count else { return }
    let known = KnownKeys.profile
    for entry in rest where StepKey.defaultsTable.key(entry.name) == nil {
      for diagnostic in known.refusals(of: entry, in: mapping) { decoder.diagnostics.report(diagnostic) }
    }
  }
}

/// The profiles of a document or of a project, in file order.
struct WrittenProfiles {
  private(set) var all: [WrittenProfile] = []
  /// The names of all profiles, also of those that could not be read.
  private(set) var names: [Located<String>] = []

  init(_ node: YAMLNode?, _ decoder: DocumentDecoder) {
    guard let node, let mapping = decoder.mapping(node, "profiles by their names") else { return }
    for entry in mapping.entries {
      names.append(Located(entry.name, at: entry.key.range))
      if let profile = WrittenProfile(entry, decoder) { all.append(profile) }
    }
  }

  subscript(name: String) -> WrittenProfile? { all.first { $0.name.value == name } }

  /// Looks at all profiles, since a run uses one of them at most.
  ///
  /// - Parameter base: the profiles that these may extend as well.
  func check(_ decoder: DocumentDecoder, base: WrittenProfiles? = nil) {
    let known = names + (base?.names ?? [])
    for profile in all {
      if let confirm = profile.confirm { _ = decoder.plainBool(confirm) }
      guard let extends = profile.extends, let name = decoder.plainText(extends, "the name of a profile") else { continue }
      decoder.requireProfile(name, at: extends.range, among: known.map(\.value))
      reportCircle(from: profile, base, decoder)
    }
  }

  private func reportCircle(from start: WrittenProfile, _ base: WrittenProfiles?, _ decoder: DocumentDecoder) {
    var path = [start.name.value]
    var profile: WrittenProfile? = start
    while let name = profile?.extends?.scalar?.text {
      guard name != start.name.value else {
        // Each circle is told once, at the first of its profiles.
        guard all.first(where: { path.contains($0.name.value) })?.name.value == name else { return }
        let range = start.extends?.range ?? start.name.range
        return decoder.report(
          .profileCycle,
          path.count == 1
            ? "the profile `\(name)` extends itself"
            : "profiles extend each other in a circle: \((path + [name]).joined(separator: " → "))",
          at: range)
      }
      // The circle does not lead through this profile.
      guard !path.contains(name) else { return }
      path.append(name)
      profile = self[name] ?? base?[name]
    }
  }
}
