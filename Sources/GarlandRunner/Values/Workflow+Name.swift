import GarlandWorkflow

extension Workflow {
  /// Its name, or that of its file.
  var shownName: String { name?.value ?? baseName }

  /// The name of its file without folder and extension.
  var baseName: String {
    let name = file.name.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return String(name) }
    return String(name[..<dot])
  }
}
