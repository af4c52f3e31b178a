import TestSupport
import Testing

@testable import garland

/// Runs the command that was built together with the tests.
enum Garland {
  static let path = Repository.products + "/garland"

  /// Runs the command until it ends, without the environment variables of CI systems and terminals.
  static func run(
    _ arguments: [String], environment: [String: String?] = [:], input: [UInt8] = [], in folder: String = Repository.path
  ) async throws -> ChildProcess.Result {
    try await start(arguments, environment: environment, input: input, in: folder).result
  }

  /// Starts the command.
  static func start(
    _ arguments: [String], environment: [String: String?] = [:], input: [UInt8] = [], in folder: String = Repository.path
  ) throws -> ChildProcess {
    var variables: [String: String?] = [
      "CI": nil, "GITHUB_ACTIONS": nil, "GITHUB_STEP_SUMMARY": nil, "TF_BUILD": nil, "TEAMCITY_VERSION": nil, "NO_COLOR": nil,
      "FORCE_COLOR": nil,
      "GARLAND_SANDBOX": nil, "SHOP_PASSWORD": nil, "COLUMNS": nil,
      "http_proxy": nil, "https_proxy": nil, "HTTP_PROXY": nil, "HTTPS_PROXY": nil, "ALL_PROXY": nil, "all_proxy": nil,
    ]
    variables.merge(environment) { $1 }
    return try ChildProcess(path, arguments, environment: variables, input: input, in: folder)
  }

  /// Returns the compressed data of an HTML report's page, unpacked, so that tests can search it.
  static func unpacked(_ page: String) async throws -> [UInt8] {
    let result = try await ChildProcess.run("/usr/bin/python3", [Repository.path("Tests/Browser/unpack.py"), "--raw", page])
    try #require(result.status == 0 && result.outputBytes.count > 10_000, "\(result.error)")
    return result.outputBytes
  }

  /// Returns a folder with `w.yaml`, whose steps use the sandbox.
  ///
  /// - Parameter auth: the entries of `auth`.
  static func folder(auth: String = "{}", steps: String) throws -> TemporaryFolder {
    func indented(_ text: String) -> String {
      text.split(separator: "\n").map { "  \($0)\n" }.joined()
    }
    let folder = try TemporaryFolder()
    try folder.write(
      "w.yaml",
      "garland: 1\ndefaults: { base_url: \"${env.GARLAND_SANDBOX}\" }\nauth:\n\(indented(auth))steps:\n\(indented(steps))")
    return folder
  }

  /// Returns a command's output in which `{{values of --report}}` replaces the list of report formats, wrapped or not. A golden file of
  /// such an output does not change with a new format.
  static func withoutFormats(_ output: String) throws -> String {
    let words = ReportOption.values.split(separator: " ").map { #"\Q\#($0)\E"# }
    return output.replacing(try Regex(words.joined(separator: #"\s+"#)), with: "{{values of --report}}")
  }

  /// Returns a name for the golden file of a command line.
  static func name(of arguments: [String]) -> String {
    let words = arguments.joined(separator: " ").unicodeScalars.map { scalar -> Character in
      scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789.-_=".unicodeScalars.contains(scalar)) ? Character(scalar) : "_"
    }
    return String(words)
  }
}
