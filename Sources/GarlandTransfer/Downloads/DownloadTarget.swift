import Glibc

/// The destination of a download and the rules for writing it.
///
/// The body is written to a temporary file in the folder of the target. The target does not appear, and an existing file is not changed,
/// until ``DownloadedFile/commit()``.
public struct DownloadTarget: Sendable, Hashable {
  /// The source of the file name of a download.
  public enum Name: Sendable, Hashable {
    /// The path includes the file name.
    case given
    /// The path is the path of a folder. The file name is the first of these names that exists:
    ///
    /// - the name that the server suggests (RFC 6266), made safe
    /// - the last segment of the URL
    /// - `download`
    case suggested
  }

  /// Whether the partial file of an interrupted download is removed or kept, and whether a download continues from an existing partial
  /// file.
  public enum Partial: Sendable, Hashable {
    /// The partial file is removed, unless `DownloadRequest.cancel(producingResumeData:)` cancels
    /// the download.
    case discarded
    /// If an interrupted download can be resumed, the error of the download contains resume data. This is the default.
    ///
    /// The partial file is kept until the last copy of the resume data is released from memory; see ``ResumeData``. If the error contains
    /// no resume data, the partial file is removed, as with ``discarded``.
    case offered
    /// The partial file is kept in the folder of the target, as `.NAME.garland-partial`, together with a record whose name ends with
    /// `.json`. The next download of the same URL to the same target continues the partial file.
    ///
    /// A partial file is kept only if the request is a GET without content, the caller has set no `Range` field, and the server sends a
    /// strong entity tag or a modification date. The request asks for a body without compression, so that the bytes are those of the
    /// resource.
    ///
    /// If the resource has changed in the meantime, it is downloaded from its beginning. A resumed download is reported with status 200 and
    /// the whole length (RFC 9110, section 15.3.7.3); ``DownloadedFile/resumedAt`` is the number of bytes that existed before.
    case kept
    /// The partial file is kept, and the download continues from the resume data.
    case resumes(ResumeData)
  }

  /// The path of the file; if ``name`` is `suggested`, the path of the folder.
  public var path: String
  /// The source of the file name.
  public var name: Name
  /// Whether an existing file is replaced. If false, a download to an existing file fails. If the file name is known before the request is
  /// sent, this error is reported without sending the request.
  public var replacesExisting: Bool
  /// Whether missing folders on the path of the target are created.
  public var createsDirectories: Bool
  /// Whether the SHA-256 digest is computed during the download.
  public var computesDigest: Bool
  /// Whether the partial file of an interrupted download is removed or kept, and whether the download continues an existing partial file.
  public var partial: Partial

  /// Creates a target. By default no file is replaced, no folder is created, and the error of an interrupted download has resume data.
  public init(
    path: String, name: Name = .given, replacesExisting: Bool = false, createsDirectories: Bool = false, computesDigest: Bool = false,
    partial: Partial = .offered
  ) {
    self.path = path
    self.name = name
    self.replacesExisting = replacesExisting
    self.createsDirectories = createsDirectories
    self.computesDigest = computesDigest
    self.partial = partial
  }

  /// A file with a new random name in the folder for temporary files: `TMPDIR`, otherwise
  /// `/tmp`. The caller has to remove it.
  public static var temporary: DownloadTarget {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    var generator = SystemRandomNumberGenerator()
    let name = "garland-\(String(generator.next() as UInt64, radix: 36))\(String(generator.next() as UInt64, radix: 36))"
    return DownloadTarget(path: FilePath.joined(folder.isEmpty ? "/tmp" : folder, name))
  }
}
