import GarlandJSON
import GarlandSandbox
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of secrets with any characters at any place of a request.
///
/// The curl command sends the same bytes as the step, once the variables that its notes name are set. The command does not depend on
/// whether the secret was known when the command was created, except where no encoding changes the secret.
@Suite("Places of secrets in curl commands", .timeLimit(.minutes(15)))
struct CommandPlacesTests {
  /// Places of a request that may contain line breaks.
  static let bodies = """
      json: { post: /anything, json: { x: "p ${secrets.PW}", n: 1 } }
      graphql: { post: /anything, graphql: { query: "{ a }", variables: { p: "${secrets.PW}" } } }
      plist: { post: /anything, plist: { x: "${secrets.PW}" } }
      form: { post: /anything, form: { x: "${secrets.PW}", y: 1 } }
      form_inside: { post: /anything, form: { x: "${vars.inside}" } }
      plus: { post: /anything, params: { x: "${secrets.PW}", y: 1 }, spaces: plus }
      percent: { post: /anything, params: { x: "${secrets.PW}", y: 1 }, spaces: percent }
      part: { post: /anything, multipart: { x: "${secrets.PW}", y: 1 } }
      part_json: { post: /anything, multipart: { x: { json: { a: "${secrets.PW}" } } } }
      part_bytes: { post: /anything, multipart: { x: { base64: "${secrets.PW | base64}", filename: a.txt, type: text/plain } } }
      text: { post: /anything, body: "hi ${secrets.PW} there" }
      zipped: { post: /anything, json: { x: "${secrets.PW}" }, compress: gzip }
      made: { post: /anything, body: "${secrets.PW | base64}" }
      digested: { get: /anything, headers: { X: "${secrets.PW | sha256}" } }
      path: { get: "/anything/a/${secrets.PW}/b" }
      in_query: { get: "/anything?x=${secrets.PW}&y=1" }
      query: { get: /anything, query: { x: "${secrets.PW}", y: [1, "${secrets.PW}"] } }
      params: { get: /anything, params: { x: "${secrets.PW}" } }
      basic: { get: /anything, basic: "u:${secrets.PW}" }
      key_in_query: { get: /anything, auth: query }
      plain_signature: { get: /anything, auth: plain }
    """

  /// Places of a request that may not contain line breaks.
  static let lines = """
      header: { get: /anything, headers: { X: "k ${secrets.PW}" } }
      cookie: { get: /anything, cookies: { c: "${secrets.PW}" } }
      bearer: { get: /anything, bearer: "${secrets.PW}" }
      key_in_header: { get: /anything, auth: header }
      key_in_cookie: { get: /anything, auth: cookie }
      file_name: { post: /anything, multipart: { x: { base64: YWJj, filename: "${secrets.PW}", type: text/plain } } }
      raw: { get: "/anything/a/${secrets.PW | raw}/b" }
      user_info: { get: "http://u:${secrets.PW | urlencode}@${env.HOST | raw}/anything" }
      session: { get: /anything, auth: aws }
      after_base: { get: "${secrets.BASE}/anything" }
      host: { get: "http://${secrets.PLACE}/anything" }
      whole: { get: "${secrets.WHOLE}" }
    """

  static func document(_ steps: String) -> String {
    """
    garland: 1
    secrets: [PW, BASE, PLACE, WHOLE]
    vars: { inside: "x ${secrets.PW} y" }
    defaults: { base_url: "${env.SANDBOX}", timeout: 300s, expect: { status: 299 } }
    auth:
      query: { api_key: { query: key, value: "${secrets.PW}" } }
      header: { api_key: { header: X-Key, value: "${secrets.PW}" } }
      cookie: { api_key: { cookie: key, value: "${secrets.PW}" } }
      plain: { oauth1: { consumer_key: "${secrets.PW}", consumer_secret: "${secrets.PW}", signature_method: PLAINTEXT } }
      aws: { aws: { access_key: AKID, secret_key: "k-${secrets.PW}", session_token: "${secrets.PW}", region: r, service: s } }
    steps:
    \(steps)
    """
  }

  /// Returns the required values of variables, by the end of their names. They are computed in another way than in the command.
  static func environment(_ secret: String) -> [String: String] {
    func percent(_ text: String, keeping: String) -> String {
      text.utf8.map { byte in
        let scalar = Unicode.Scalar(byte)
        let isPlain =
          byte < 0x80 && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || keeping.unicodeScalars.contains(scalar))
        let digits = String(byte, radix: 16, uppercase: true)
        return isPlain ? String(scalar) : digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }.joined()
    }
    let encoded = percent(secret, keeping: "-._~")
    let query = percent(secret, keeping: "-._~/?")
    var json = ""
    for scalar in secret.unicodeScalars {
      switch scalar {
      case "\"", "\\": json += "\\\(scalar)"
      case "\n": json += "\\n"
      default: json.unicodeScalars.append(scalar)
      }
    }
    return [
      "PW": secret, "PW_URLENCODED": encoded, "PW_QUERY": query,
      "PW_FORM": query.split(separator: "%20", omittingEmptySubsequences: false).joined(separator: "+"),
      "PW_URL": percent(secret, keeping: "-._~!$&'()*+,;=:@/?#[]%"), "PW_JSON": json,
      "PW_XML": secret.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;"),
      "PW_FILENAME": secret.replacing("\"", with: "%22"), "PW_TWICE": percent(encoded, keeping: "-._~"),
    ]
  }

  /// The values that the shell itself can compute.
  static let madeByTheShell = """

    PW_BASE64=$(printf %s "$PW" | base64 -w0)
    PW_SHA256=$(printf %s "$PW" | sha256sum | cut -d' ' -f1)

    """

  static let secrets = ["plain-123", "a&b c/%41+x?<~*", "ü\"'$`\\!{1}", "x y", "two\n\"lines\""]

  @Test(arguments: secrets)
  func `wherever a step uses a secret, the step's curl command sends the same bytes as the step`(secret: String) async throws {
    let steps = secret.contains("\n") ? Self.bodies : Self.bodies + "\n" + Self.lines
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      let host = String(sandbox.url.drop { $0 != ":" }.dropFirst(3))
      // A secret may be in a place where only a URL or a host is valid.
      let places = ["BASE": sandbox.url, "PLACE": host, "WHOLE": "\(sandbox.url)/anything/whole"]
      let text = Self.document(steps)
      let run = try await TestRun.carryOut(text, sandbox, folder: folder) {
        $0.secrets = ["PW": secret].merging(places) { $1 }
        $0.environment["HOST"] = host
        $0.pace.isSerial = true
      }
      // Each step fails, so that the report shows its command.
      #expect(run.outcomes.allSatisfy { $0.hasSuffix(" failed") }, "\(run.outcomes)")
      let originals = sandbox.records.map(Sent.init)
      let plan = try TestRun.plan(text, folder: folder)
      var configuration = TestRun.configuration(sandbox, folder: folder)
      configuration.environment["HOST"] = host
      let environment = Self.environment(secret).merging(places) { $1 }
      var commands = ["below a failure": run.results.map { $0.exchanges.last?.curlCommand ?? "false" }]
      for isKnown in [true, false] {
        configuration.secrets = isKnown ? places.merging(["PW": secret]) { $1 } : [:]
        commands[isKnown ? "known" : "unknown"] = try plan.steps.map { step in
          let command = try StepCommand(of: step, in: plan, configuration)
          for name in Self.variables(in: command.text) {
            #expect(command.notes.contains { $0.hasPrefix("set \(name) to ") }, "\(name): \(command.notes)")
          }
          return command.text
        }
      }
      for (title, commands) in commands {
        for command in commands {
          #expect(secret.count < 4 || !command.contains(secret), "\(title): \(command)")
          #expect(!command.contains("***") && !command.contains("stand-in"), "\(title): \(command)")
          for name in Self.variables(in: command) {
            #expect(environment[name] != nil || Self.madeByTheShell.contains("\n\(name)="), "\(title): \(name) in \(command)")
            if title == "below a failure", environment[name] == nil || name.contains("_") {
              #expect(command.contains("# \(name): "), "\(command)")
            }
          }
        }
        sandbox.clearRecords()
        let script = "set -e" + Self.madeByTheShell + commands.joined(separator: "\n")
        #expect(await Shell.run(script, environment: environment, in: folder.path) == 0, "\(title)")
        let copies = sandbox.records.map(Sent.init)
        #expect(copies.count == originals.count, "\(title)")
        for (index, pair) in zip(copies, originals).enumerated() { #expect(pair.0 == pair.1, "\(title): \(commands[index])") }
      }
    }
  }

  private static func variables(in command: String) -> [String] {
    command.matches(of: #/\$\{([A-Z0-9_]+)\}/#).map { String($0.output.1) }
  }

  /// A request without the parts that depend on the time.
  struct Sent: Equatable {
    let request: StepCommandTests.Request

    init(_ record: SandboxRecord) {
      var request = StepCommandTests.Request(record)
      request.fields.removeAll { $0.hasPrefix("x-amz-date:") || $0.hasPrefix("authorization: AWS4") }
      self.request = request
    }
  }
}
