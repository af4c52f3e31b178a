import GarlandWorkflow

extension Workflow {
  /// The workflow's name; if the workflow has no name, the name of its file.
  var shownName: String { name?.value ?? baseName }

  /// The name of the workflow's file, without folder and extension.
  var baseName: String {
    let name = file.name.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return String(name) }
    return String(name[..<dot])
  }
}
