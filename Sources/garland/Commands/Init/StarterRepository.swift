import GarlandWorkflow

/// The repository that contains the project which `garland init` writes. CI systems look for their configuration files only in the root of
/// the repository.
struct StarterRepository {
  /// The absolute path of the folder with `.git`; without a repository, the folder of the project.
  let root: String
  /// The folder of the project, relative to ``root``; empty if the project is in ``root`` itself.
  let folder: String
  /// The folder ``root`` as the user would write it before the name of a file: empty, or a path with a `/` at its end, such as `../`.
  let prefix: String

  /// Finds the repository that contains a project. The project's folder need not exist yet.
  init(ofProjectIn path: String) {
    let system = SystemFiles()
    let current = ProcessEnvironment.currentDirectory()
    let directory = system.resolve(current) ?? current
    let absolute = path == "." ? directory : path.hasPrefix("/") ? path : directory + "/" + path
    let start = system.resolve(absolute) ?? absolute
    root = FileAccess.projectRoot(of: start, in: system)
    folder = String(start.dropFirst(root.count).drop { $0 == "/" })
    if folder.isEmpty {
      prefix = path == "." ? "" : path == "/" ? path : path + "/"
    } else if directory == root {
      prefix = ""
    } else if directory.hasPrefix(root == "/" ? root : root + "/") {
      let depth = directory.dropFirst(root.count).split(separator: "/").count
      prefix = String(repeating: "../", count: depth)
    } else {
      prefix = root == "/" ? root : root + "/"
    }
  }
}
