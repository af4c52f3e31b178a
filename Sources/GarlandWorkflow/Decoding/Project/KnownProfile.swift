/// A profile that a document or a project file declares. It does not include the profile's settings.
public struct KnownProfile: Sendable {
  /// The profile's name, with its source range.
  public let name: Located<String>
  /// The name of the profile that this profile extends: `extends:`.
  public let extends: String?
  /// Whether a run with this profile must be confirmed, because of the profile itself or of one that it extends.
  public let isConfirmed: Bool
  /// Whether the profile is used when no profile is selected.
  public let isDefault: Bool
}
