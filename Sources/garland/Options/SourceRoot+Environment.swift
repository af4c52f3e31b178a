import GarlandReports
import GarlandWorkflow

extension SourceRoot {
  /// The environment variables that contain the path of the repository's folder in GitHub Actions, GitLab and Azure Pipelines.
  private static let variables = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR", "BUILD_SOURCESDIRECTORY"]

  /// Finds the root folder of the repository: the nearest folder above the working directory that contains `.git`, or else the folder that
  /// the CI system names. Without a repository, files keep the names that the user wrote.
  init(environment: [String: String]) {
    let directory = ProcessEnvironment.currentDirectory()
    let files = SystemFiles()
    let top = FileAccess.projectRoot(of: directory, in: files)
    guard files.kind(of: top == "/" ? "/.git" : top + "/.git") == .missing else {
      self.init(top, workingDirectory: directory)
      return
    }
    let named = Self.variables.lazy.compactMap { environment[$0] }.first { $0.hasPrefix("/") }
    self.init(named.map { files.resolve($0) ?? $0 }, workingDirectory: directory)
  }
}
