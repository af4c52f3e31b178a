public import GarlandDiagnostics

/// `download:`: the file to which the body of a response is written.
public struct DownloadTemplate: Sendable {
  /// The path to which the body is written, relative to the working directory: `to:`. It names a file or, with ``usesSuggestedName``, a
  /// folder.
  public let to: Template
  /// Whether the response determines the file name: `name: suggested`.
  public let usesSuggestedName: Bool
  /// Whether an existing file is replaced: `replace:`. If false, an existing file is an error. Default: true.
  public let replace: Setting<Bool>?
  /// `create_dirs:`: whether missing folders are created. Default: true.
  public let createDirs: Setting<Bool>?
  /// Whether an incomplete download is kept and continued later: `resume:`. Default: false.
  public let resume: Setting<Bool>?
  /// The place of `download` in the source.
  public let range: SourceRange
}
