/// A profile of a document or of a project.
public struct KnownProfile: Sendable {
  /// Its name, where it is written.
  public let name: Located<String>
  /// `extends:`.
  public let extends: String?
  /// Whether runs with it have to be confirmed.
  public let isConfirmed: Bool
  /// Whether it is used where nothing else is named.
  public let isDefault: Bool
}
