import GarlandWorkflow

/// The argument of `garland init`.
enum StarterPath {
  /// Returns the reason why no workflow is written to a path: the path is a folder, or the user probably meant a folder. Returns
  /// nil if a workflow can be written.
  static func problem(_ path: String) -> String? {
    guard path != "-" else { return nil }
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    let file = path.hasSuffix("/") ? "\(path)smoke.yaml" : "\(path)/smoke.yaml"
    switch SystemFiles().kind(of: path) {
    case .folder: return "\(path) is a folder: `garland init` in it writes a project, and `garland init \(file)` one workflow."
    case .missing where !name.contains(".") || path.hasSuffix("/"):
      return
        "\(path) does not end in .yaml: write `garland init \(name).yaml`; for a project, make the folder and run `garland init` there."
    case .file, .missing, .unreadable: return nil
    }
  }
}
