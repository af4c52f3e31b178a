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

  /// What happens to a download that breaks off.
  public enum Partial: Sendable, Hashable {
    /// What came is removed, unless the download is cancelled by ``DownloadRequest/cancel(producingResumeData:)``.
    case discarded
    /// What came is kept beside the target, in `.NAME.garland-partial` and a record with `.json` behind that, and the next download of the same URL to
    /// the same target continues it.
    ///
    /// That goes for GET only, without content and without a `Range` of the caller's own, and only where the server has a strong entity tag or a date of
    /// the last change. So that the bytes are those of the resource, no content coding is asked for. A resource that has changed in between is received
    /// from its beginning. A download that was continued is told as one, with status 200 and the length of the whole (RFC 9110, section 15.3.7.3):
    /// ``DownloadedFile/resumedAt`` says where.
    case kept
    /// The same, with a beginning that is elsewhere.
    case resumes(ResumeData)
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
  /// What happens to a download that breaks off.
  public var partial: Partial

  /// A target; by default nothing is replaced, no folder is made, and nothing is left of a download that breaks off.
  public init(
    path: String, name: Name = .given, replacesExisting: Bool = false, createsDirectories: Bool = false, computesDigest: Bool = false,
    partial: Partial = .discarded
  ) {
    self.path = path
    self.name = name
    self.replacesExisting = replacesExisting
    self.createsDirectories = createsDirectories
    self.computesDigest = computesDigest
    self.partial = partial
  }
}
