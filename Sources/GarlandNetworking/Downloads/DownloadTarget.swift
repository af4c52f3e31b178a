/// Where a download goes, and what may happen on the way.
///
/// The body is streamed to a temporary file beside its target. Nothing is at the target, and nothing that was there is touched, until
/// ``DownloadedFile/commit()``.
public struct DownloadTarget: Sendable, Hashable {
  /// How the file gets its name.
  public enum Name: Sendable, Hashable {
    /// The path is that of the file.
    case given
    /// The path is that of a folder, the name is what the server suggests (RFC 6266), made safe, else the URL's last segment, else `download`.
    case suggested
  }

  /// The file's path, or the folder's if the name is suggested.
  public var path: String
  /// How the file gets its name.
  public var name: Name
  /// Whether a file that is there already is replaced. Otherwise it is an error, known before anything is sent where the name is given.
  public var replacesExisting: Bool
  /// Whether missing folders are made.
  public var createsDirectories: Bool
  /// Whether the SHA-256 digest is computed on the way.
  public var computesDigest: Bool

  /// A target; by default nothing is replaced and no folder is made.
  public init(
    path: String, name: Name = .given, replacesExisting: Bool = false, createsDirectories: Bool = false, computesDigest: Bool = false
  ) {
    self.path = path
    self.name = name
    self.replacesExisting = replacesExisting
    self.createsDirectories = createsDirectories
    self.computesDigest = computesDigest
  }
}
