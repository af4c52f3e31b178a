import GarlandDiagnostics
import GarlandYAML

/// A profile as it is written in a document or project, before settings are merged.
struct WrittenProfile {
  let name: Located<String>
  let node: YAMLNode
  let vars: YAMLNode?
  let secrets: YAMLNode?
  let extends: YAMLNode?
  let confirm: YAMLNode?
  /// The profile's settings for steps, such as `base_url`. They take precedence over `defaults`.
  let settings: [YAMLMapping.Entry]

  /// Decodes a profile, and reports every invalid key. Returns nil if the node is not a mapping.
  init?(_ entry: YAMLMapping.Entry, _ decoder: DocumentDecoder) {
    // An empty value is a profile without changes.
    let empty = entry.value.with(YAMLMapping(of: []))
    let value = entry.value.isNull ? empty : entry.value
    guard let mapping = decoder.mapping(value, "a profile such as `{ vars: { user: bob } }`") else { return nil }
    name = Located(entry.name, at: entry.key.range)
    node = value
    vars = mapping.writtenValue(ProfileKey.vars)
    secrets = mapping.writtenValue(ProfileKey.secrets)
    extends = mapping.writtenValue(ProfileKey.extends)
    confirm = mapping.writtenValue(ProfileKey.confirm)
    let rest = mapping.entries.filter { ProfileKey(rawValue: $0.name) == nil }
    settings = rest.filter { StepKey.defaultsTable.key($0.name) != nil }
    guard rest.count > settings.count else { return }
    let known = KnownKeys.profile
    let names = ProfileKey.allCases.map(\.rawValue) + StepKey.defaultsTable.names
    for entry in rest where StepKey.defaultsTable.key(entry.name) == nil {
      for diagnostic in known.refusals(of: entry, in: mapping, at: value) { decoder.diagnostics.report(diagnostic) }
      // An unknown setting is probably meant as a variable.
      let near = MappingReader<ProfileKey>.near(entry.name, among: names) ?? ProfileKey.vars.rawValue
      decoder.names.refused.insert(near == ProfileKey.vars.rawValue ? .vars : .defaults)
    }
  }
}

/// The profiles of a document or of a project, in file order.
struct WrittenProfiles {
  private(set) var all: [WrittenProfile] = []
  /// The names of all profiles, including profiles that could not be decoded.
  private(set) var names: [Located<String>] = []
  /// For each name of a profile, the index in `all` of the first profile with this name.
  private var places: [String: Int] = [:]
  /// The maximum number of profiles in a chain of `extends`; a longer chain is an error.
  private static let deepest = 64

  init(_ node: YAMLNode?, _ decoder: DocumentDecoder) {
    guard let node, let mapping = decoder.mapping(node, "a mapping of profile names to profiles") else { return }
    for entry in mapping.entries {
      names.append(Located(entry.name, at: entry.key.range))
      guard let profile = WrittenProfile(entry, decoder) else { continue }
      if places[entry.name] == nil { places[entry.name] = all.count }
      all.append(profile)
    }
  }

  subscript(name: String) -> WrittenProfile? { places[name].map { all[$0] } }

  /// Reports mistakes in all profiles, for example cycles of `extends`. Profiles that are not selected are checked, too.
  ///
  /// - Parameter base: further profiles, which the checked profiles may extend.
  func check(_ decoder: DocumentDecoder, base: WrittenProfiles? = nil) {
    let known = (names + (base?.names ?? [])).map(\.value)
    var isTooDeep = false
    for profile in all {
      if let confirm = profile.confirm { _ = decoder.plainBool(confirm) }
      guard let extends = profile.extends, let name = decoder.plainText(extends, "the name of a profile") else { continue }
      decoder.requireProfile(name, at: extends.range, among: known)
      if !isTooDeep { isTooDeep = reportCircle(from: profile, base, decoder) }
    }
  }

  /// Follows the chain of `extends` from the profile `start`, and reports an error if the chain leads back to `start` or is too long.
  /// Returns whether the chain is too long.
  private func reportCircle(from start: WrittenProfile, _ base: WrittenProfiles?, _ decoder: DocumentDecoder) -> Bool {
    var path = [start.name.value]
    var profile: WrittenProfile? = start
    while let name = profile?.extends?.scalar?.text {
      guard name != start.name.value else {
        // Each cycle is reported once, at its first profile.
        guard all.first(where: { path.contains($0.name.value) })?.name.value == name else { return false }
        let range = start.extends?.range ?? start.name.range
        decoder.report(
          .profileCycle,
          path.count == 1
            ? "the profile `\(name)` extends itself"
            : "profiles extend each other in a circle: \((path + [name]).joined(separator: " → "))",
          at: range)
        return false
      }
      guard path.count < Self.deepest else {
        decoder.report(
          .nestedTooDeep, "profiles extend each other more than \(Self.deepest) deep", at: start.extends?.range ?? start.name.range)
        return true
      }
      // The cycle does not contain this profile.
      guard !path.contains(name) else { return false }
      path.append(name)
      profile = self[name] ?? base?[name]
    }
    return false
  }
}
