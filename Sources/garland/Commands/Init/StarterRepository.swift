import GarlandWorkflow

/// The repository of a project that `garland init` writes. CI systems look for their files only in its root.
struct StarterRepository {
  /// The absolute path of the folder with `.git`; without a repository, the folder of the project.
  let root: String
  /// The folder of the project, relative to ``root``; empty if the project is in ``root`` itself.
  let folder: String
  /// The beginning of the path to a file in the root, as the user would write it: empty, or a folder with a `/` at its end.
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
