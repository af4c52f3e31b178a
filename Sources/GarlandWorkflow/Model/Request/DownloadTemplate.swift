public import GarlandDiagnostics

/// The file to which the body of a response is written, from the key `download:`.
public struct DownloadTemplate: Sendable {
  /// The path to which the body is written, from the key `to:`. It is relative to the working directory. It is the path of a file or, with
  /// ``usesSuggestedName``, of a folder.
  public let to: Template
  /// Whether the response determines the file name, because of `name: suggested`.
  public let usesSuggestedName: Bool
  /// Whether an existing file is replaced, from the key `replace:`. If false, an existing file is an error. Default: true.
  public let replace: Setting<Bool>?
  /// Whether missing folders are created, from the key `create_dirs:`. Default: true.
  public let createDirs: Setting<Bool>?
  /// Whether an incomplete download is kept and continued later, from the key `resume:`. Default: false.
  public let resume: Setting<Bool>?
  /// The source range of the value of `download` in the document.
  public let range: SourceRange

  /// The advice for a download whose file is a folder.
  package static let folderAdvice =
    "to download into a folder under the name that the server suggests, write `download: { to: FOLDER, name: suggested }`"
}
