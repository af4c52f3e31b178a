public import GarlandDiagnostics

/// `download:`: where the body of a response is written to.
public struct DownloadTemplate: Sendable {
  /// `to:`, relative to the working directory: a file or, with ``usesSuggestedName``, a folder.
  public let to: Template
  /// `name: suggested`: the name comes from the response.
  public let usesSuggestedName: Bool
  /// `replace:`; if false, a file that is there is an error. Default: true.
  public let replace: Setting<Bool>?
  /// `create_dirs:`. Default: true.
  public let createDirs: Setting<Bool>?
  /// `resume:`, whether the part of an interrupted download is kept and continued. Default: false.
  public let resume: Setting<Bool>?
  /// Its place in the source.
  public let range: SourceRange
}
