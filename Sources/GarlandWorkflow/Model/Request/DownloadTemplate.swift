public import GarlandDiagnostics

/// `download:`: the file to which the body of a response is written.
public struct DownloadTemplate: Sendable {
  /// `to:`, a path relative to the working directory: a file or, with ``usesSuggestedName``, a folder.
  public let to: Template
  /// `name: suggested`: whether the response determines the file name.
  public let usesSuggestedName: Bool
  /// `replace:`: whether an existing file is replaced; if false, it is an error. Default: true.
  public let replace: Setting<Bool>?
  /// `create_dirs:`: whether missing folders are created. Default: true.
  public let createDirs: Setting<Bool>?
  /// `resume:`: whether the part of an interrupted download is kept and continued. Default: false.
  public let resume: Setting<Bool>?
  /// The place of `download` in the source.
  public let range: SourceRange
}
