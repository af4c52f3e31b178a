/// A profile of a document or of a project.
public struct KnownProfile: Sendable {
  /// The profile's name, with its place in the file.
  public let name: Located<String>
  /// `extends:`.
  public let extends: String?
  /// Whether a run with this profile must be confirmed.
  public let isConfirmed: Bool
  /// Whether the profile is used when no profile is selected.
  public let isDefault: Bool
}
