import GarlandReports
import GarlandWorkflow

extension SourceRoot {
  /// The variables in which CI systems name the folder of the repository: GitHub Actions, GitLab, Azure Pipelines.
  private static let variables = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR", "BUILD_SOURCESDIRECTORY"]

  /// The root of the repository that the working directory belongs to: the nearest folder above with a `.git`, else the one that the CI system names.
  /// Outside of any, files are named as the user named them.
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
