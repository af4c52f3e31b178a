import ArgumentParser
import GarlandDiagnostics
import GarlandJSON
import GarlandWorkflow

/// The CI systems for which `garland init` can write a configuration file.
enum StarterCI: String, ExpressibleByArgument, CaseIterable {
  case github, gitlab, none

  /// Detects the CI system of a repository by its files, or by the address of a remote.
  static func found(in folder: String) -> StarterCI {
    let files = SystemFiles()
    if files.kind(of: folder + "/.github") == .folder { return .github }
    if files.kind(of: folder + "/.gitlab-ci.yml") != .missing { return .gitlab }
    guard let bytes = try? files.read(folder + "/.git/config", limit: 1 << 20) else { return .none }
    let addresses = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).filter { $0.contains("url") }
    if addresses.contains(where: { $0.contains("github") }) { return .github }
    return addresses.contains { $0.contains("gitlab") } ? .gitlab : .none
  }

  /// Returns the path and content of the configuration file; nil without a CI system.
  ///
  /// - Parameter folder: The folder of the project within its repository; empty if it is the folder of the repository.
  func file(forProjectIn folder: String) -> (path: String, text: String)? {
    switch self {
    case .github: (".github/workflows/garland.yml", Self.moved(Self.githubText, to: folder))
    case .gitlab: (".gitlab-ci.yml", Self.moved(Self.gitlabText, to: folder))
    case .none: nil
    }
  }

  /// Returns a configuration whose commands run in a folder of the repository. The paths of artifacts are relative to the repository.
  private static func moved(_ text: String, to folder: String) -> String {
    guard !folder.isEmpty else { return text }
    let name = JSONValue.string(folder).jsonText()
    let (page, report) = (JSONValue.string(folder + "/report.html").jsonText(), JSONValue.string(folder + "/report.xml").jsonText())
    return
      text
      .replacing(
        "    runs-on: ubuntu-latest\n", with: "    runs-on: ubuntu-latest\n    defaults: { run: { working-directory: \(name) } }\n"
      )
      .replacing("path: report.html", with: "path: \(page)")
      .replacing("  script:\n", with: "  script:\n    - cd \(ShellWord.quoted(folder))\n")
      .replacing("paths: [report.html]", with: "paths: [\(page)]")
      .replacing("junit: report.xml", with: "junit: \(report)")
  }

  private static let githubText = """
    # Runs the documents of garland.project.yaml. `garland` has to be in the path: see the page on installing.
    # `staging` is a profile of that file: replace https://staging.example.com there by your own host.
    name: API
    on: [push, pull_request]
    jobs:
      garland:
        runs-on: ubuntu-latest
        env:
          API_PASSWORD: ${{ secrets.API_PASSWORD }}
        steps:
          - uses: actions/checkout@v4
          - run: garland check --strict
          - run: garland run --profile staging --report junit=report.xml --report html=report.html
          - uses: actions/upload-artifact@v4
            if: always()
            with: { name: report, path: report.html }

    """

  private static let gitlabText = """
    # Runs the documents of garland.project.yaml. API_PASSWORD is a masked variable of the project.
    # `staging` is a profile of that file: replace https://staging.example.com there by your own host.
    garland:
      script:
        - garland check --strict
        - garland run --profile staging --report junit=report.xml --report html=report.html
      artifacts:
        when: always
        paths: [report.html]
        reports:
          junit: report.xml

    """
}
