import GarlandDiagnostics
import GarlandYAML

/// The result of merging a document with its project and the selected profile. The settings of the document override those of the project,
/// and the settings of the profile override those of the document. Each setting keeps the source range where it was written.
///
/// ``StepInheritance`` has the rules by which settings are merged.
struct DocumentLayers {
  /// The root of the document with the project and the profile merged into it. The keys `vars` and `secrets` are not merged; see
  /// ``variables`` and ``secrets``.
  let root: YAMLNode
  /// The values of the key `vars` in the project, the document and the profiles, in this order. If two of them contain a variable with the
  /// same name, the later variable is used.
  let variables: [(node: YAMLNode, origin: Variable.Origin)]
  /// The `secrets` of the project, the document and the profiles, in this order. If several of them name a file for the same secret, the
  /// last of these files is used.
  let secrets: [YAMLNode]
  /// The profiles of the project and of the document as they are written. Profiles with the same name are not merged.
  let knownProfiles: [KnownProfile]
  /// The name of the selected profile if the profile has `confirm: true`, so that the user must confirm the run; otherwise nil. The source
  /// range is that of `confirm: true`.
  let confirmation: Located<String>?

  /// Merges a document with its project and its profile.
  ///
  /// - Parameters:
  ///   - root: the root node of the document.
  ///   - mapping: the mapping of the root node.
  ///   - decoder: the decoder of the document, which receives the diagnostics.
  init(_ root: YAMLNode, _ mapping: YAMLMapping, _ decoder: DocumentDecoder) {
    let project = decoder.project
    let own = WrittenProfiles(mapping.writtenValue(RootKey.profiles), decoder)
    let inherited = WrittenProfiles(project?.entries[.profiles]?.value, decoder)
    own.check(decoder, base: inherited)
    let none = WrittenProfiles(nil, decoder)
    func confirm(_ name: String, _ own: WrittenProfiles) -> YAMLNode? {
      let chain = Self.chain(name, own, inherited)
      func isShared(_ profile: WrittenProfile) -> Bool { inherited[profile.name.value]?.name.range == profile.name.range }
      // If a profile of the project has `confirm: true`, a `confirm: false` in the document does not override it, and neither does an
      // `extends` in the document.
      let layers = [Self.chain(name, none, inherited), chain.filter(isShared), chain.filter { !isShared($0) }]
      return layers.compactMap { layer in layer.last { $0.confirm != nil }?.confirm }.first { $0.scalar?.text == "true" }
    }
    func known(_ profile: WrittenProfile, _ own: WrittenProfiles) -> KnownProfile {
      KnownProfile(
        name: profile.name, extends: profile.extends?.scalar?.text, isConfirmed: confirm(profile.name.value, own) != nil,
        isDefault: project?.defaultProfile?.value == profile.name.value)
    }
    knownProfiles = inherited.all.map { known($0, none) } + own.all.map { known($0, own) }
    let name = decoder.options.profile ?? project?.defaultProfile?.value
    let chain = name.map { Self.chain($0, own, inherited) } ?? []
    decoder.checkUnusedProfiles((own.all + inherited.all).filter { profile in !chain.contains { $0.name.range == profile.name.range } })

    var variables: [(node: YAMLNode, origin: Variable.Origin)] = []
    if let node = project?.entries[.vars]?.value { variables.append((node, .project)) }
    if let node = mapping.writtenValue(RootKey.vars) { variables.append((node, .document)) }
    for profile in chain {
      if let node = profile.vars { variables.append((node, .profile(profile.name.value))) }
    }
    self.variables = variables
    secrets = [project?.entries[.secrets]?.value, mapping.writtenValue(RootKey.secrets)].compactMap { $0 } + chain.compactMap(\.secrets)
    confirmation = name.flatMap { name in confirm(name, own).map { Located(name, at: $0.range) } }
    self.root = Self.merged(root, mapping, project, chain, isShared: decoder.isSharedByProject)
  }

  /// Returns a profile and all profiles that it extends. An extended profile comes before the profile that extends it. If the document and
  /// its project have profiles with the same name, the project's profile comes first.
  private static func chain(_ name: String, _ own: WrittenProfiles, _ inherited: WrittenProfiles) -> [WrittenProfile] {
    var chain: [WrittenProfile] = []
    var seen: Set<String> = []
    var next: String? = name
    while let name = next, seen.insert(name).inserted {
      let layers = [inherited[name], own[name]].compactMap { $0 }
      chain = layers + chain
      next = layers.last { $0.extends != nil }?.extends?.scalar?.text
    }
    return chain
  }

  // MARK: Merging

  private static let merged: [RootKey] = [.auth, .use, .resources, .reachability]

  private static func merged(
    _ root: YAMLNode, _ mapping: YAMLMapping, _ project: Project?, _ chain: [WrittenProfile], isShared: Bool
  ) -> YAMLNode {
    guard project != nil || chain.contains(where: { !$0.settings.isEmpty }) else { return root }
    var entries = mapping.entries
    func put(_ key: RootKey, _ entry: YAMLMapping.Entry) {
      if let position = entries.firstIndex(where: { $0.name == key.rawValue }) { entries[position] = entry } else { entries.append(entry) }
    }
    if let project {
      let base = ProjectBase(project, isShared: isShared)
      for key in merged {
        guard let inherited = base[key] else { continue }
        put(key, mapping.written(key).map { byName($0, over: inherited) } ?? inherited)
      }
      if let inherited = base[.defaults] {
        put(.defaults, mapping.written(RootKey.defaults).map { settings($0, over: inherited) } ?? inherited)
      }
    }
    for profile in chain where !profile.settings.isEmpty {
      let key = profile.node.with(text: RootKey.defaults.rawValue)
      let entry = YAMLMapping.Entry(key: key, value: profile.node.with(YAMLMapping(of: profile.settings)))
      let below = entries.first { $0.name == RootKey.defaults.rawValue }
      put(.defaults, below.map { settings(entry, over: $0) } ?? entry)
    }
    return root.with(YAMLMapping(of: entries))
  }

  /// Merges the settings in `own` with those in `base` by the rules of ``StepInheritance``. A setting of `own` takes precedence.
  private static func settings(_ own: YAMLMapping.Entry, over base: YAMLMapping.Entry) -> YAMLMapping.Entry {
    combined(own, base) { StepInheritance.merge($0, over: $1) }
  }

  /// Merges two mappings by name. An entry of `own` replaces the entry with the same name in `base` as a whole.
  private static func byName(_ own: YAMLMapping.Entry, over base: YAMLMapping.Entry) -> YAMLMapping.Entry {
    combined(own, base) { own, base in base.entries.map { own.entry($0.name) ?? $0 } + own.entries.filter { base.entry($0.name) == nil } }
  }

  private static func combined(
    _ own: YAMLMapping.Entry, _ base: YAMLMapping.Entry, _ merge: (YAMLMapping, YAMLMapping) -> [YAMLMapping.Entry]
  ) -> YAMLMapping.Entry {
    guard !own.value.isNull else { return base }
    // A value that is not a mapping is reported when it is decoded.
    guard let mapping = own.value.mapping else { return own }
    guard let inherited = base.value.mapping else { return base }
    return YAMLMapping.Entry(key: own.key, value: own.value.with(YAMLMapping(of: merge(mapping, inherited))))
  }
}

/// The name and the properties of a profile that a document or a project file declares, without the profile's settings.
public struct KnownProfile: Sendable {
  /// The profile's name, with its source range.
  public let name: Located<String>
  /// The name of the profile that this profile extends, from the key `extends:`.
  public let extends: String?
  /// Whether the user must confirm a run with this profile, because of the key `confirm` in this profile or in a profile that it extends.
  public let isConfirmed: Bool
  /// Whether the profile is used when no profile is selected.
  public let isDefault: Bool
}
