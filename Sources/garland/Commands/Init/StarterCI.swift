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
    case .github: (".github/workflows/garland.yml", Self.githubText(folder))
    case .gitlab: (".gitlab-ci.yml", Self.gitlabText(folder))
    case .none: nil
    }
  }

  /// Returns the path of a report as a YAML scalar. The path is relative to the repository, since CI systems expect this.
  private static func report(_ name: String, in folder: String) -> String {
    folder.isEmpty ? name : JSONValue.string(folder + "/" + name).jsonText()
  }

  /// Returns a shell command that changes to a folder.
  static func command(changingTo folder: String) -> String {
    "cd " + ShellWord.quoted(folder.hasPrefix("-") ? "./" + folder : folder)
  }

  /// Returns the shell command that changes to a folder, as a YAML scalar. The scalar is quoted if a colon or a quote in the command could
  /// be read as YAML syntax.
  private static func change(to folder: String) -> String {
    let command = command(changingTo: folder)
    return ShellWord.quoted(folder) == folder && !folder.contains(":") ? command : JSONValue.string(command).jsonText()
  }

  private static func githubText(_ folder: String) -> String {
    let place = folder.isEmpty ? "" : "\n    defaults: { run: { working-directory: \(JSONValue.string(folder).jsonText()) } }"
    return """
      # Runs the documents of garland.project.yaml. `garland` has to be in the path: see the page on installing.
      # `staging` is a profile of that file: replace https://staging.example.com there by your own host.
      name: API
      on: [push, pull_request]
      jobs:
        garland:
          runs-on: ubuntu-latest\(place)
          env:
            API_PASSWORD: ${{ secrets.API_PASSWORD }}
          steps:
            - uses: actions/checkout@v4
            - run: garland check --strict
            - run: garland run --profile staging --report junit=report.xml --report html=report.html
            - uses: actions/upload-artifact@v4
              if: always()
              with: { name: report, path: \(report("report.html", in: folder)) }

      """
  }

  private static func gitlabText(_ folder: String) -> String {
    let first = folder.isEmpty ? "" : "\n    - \(change(to: folder))"
    return """
      # Runs the documents of garland.project.yaml. API_PASSWORD is a masked variable of the project.
      # `staging` is a profile of that file: replace https://staging.example.com there by your own host.
      garland:
        script:\(first)
          - garland check --strict
          - garland run --profile staging --report junit=report.xml --report html=report.html
        artifacts:
          when: always
          paths: [\(report("report.html", in: folder))]
          reports:
            junit: \(report("report.xml", in: folder))

      """
  }
}
