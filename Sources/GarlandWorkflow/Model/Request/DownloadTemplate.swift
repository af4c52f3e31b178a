public import GarlandDiagnostics

/// `download:`: where the body of a response is written to.
public struct DownloadTemplate: Sendable {
  /// `to:`, relative to the working directory: a file or, with ``usesSuggestedName``, a folder.
  public let to: Template
  /// `name: suggested`: the name comes from the response.
  public let usesSuggestedName: Bool
  /// `replace:`; otherwise a file that is there is an error. Default: false.
  public let replace: Setting<Bool>?
  /// `create_dirs:`. Default: true.
  public let createDirs: Setting<Bool>?
  /// `resume:`, whether what comes of a download that breaks off is kept and continued. Default: false.
  public let resume: Setting<Bool>?
  /// Where it stands.
  public let range: SourceRange
}
