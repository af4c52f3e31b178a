/// The content and form of a console's output.
package struct ConsoleOptions: Sendable {
  /// The amount of output on a console.
  package enum Verbosity: Sendable, Hashable {
    /// The console shows failures and the summary, but no line for each step.
    case quiet
    /// The console shows the failures and the summary, and a line for each step.
    case normal
    /// The console also shows the complete exchange of each step, its timings and its extracted values.
    case verbose
  }

  /// The parts of each step's exchanges that a console shows after the step's line.
  package enum Show: String, Sendable, Hashable, CaseIterable {
    /// The console shows the body of the response.
    case body
    /// The console shows the header fields of the request and the response.
    case headers
    /// The console shows the header fields and bodies of the request and the response.
    case all
  }

  /// The order in which the console writes the lines of steps. If there is a live view, this order does not apply to the lines above the
  /// view.
  package enum Order: Sendable, Hashable {
    /// The lines have plan order, which is the same in each run. Each line waits until the lines before it are written. At most 16 MiB of
    /// lines wait; if there are more, the console writes lines as they arrive.
    case plan
    /// The lines have the order in which the steps end.
    case completion
  }

  /// The standard stream to which the lines of the steps, the failures and the summary are written.
  package enum Destination: Sendable, Hashable {
    case standardOutput, standardError
  }

  /// The amount of output. Default: ``Verbosity/normal``.
  package var verbosity = Verbosity.normal
  /// The parts of exchanges to show. Default: no parts.
  package var show: Show?
  /// The step whose response body is printed alone: standard output contains only this body, and everything else goes to standard error.
  /// The step is given as `id` or `file#id`.
  ///
  /// Default: no step.
  package var bodyAloneOf: String?
  /// The token that ends a pause during which GitHub executes no commands in its log. The console begins the pause before it prints the
  /// body of the step `bodyAloneOf`, since the body may contain text that looks like a command. The console writes the token after the
  /// body.
  ///
  /// A server must not be able to guess the token. Default: nil, which means that the body is not printed to the log of GitHub.
  package var commandPause: String?
  /// Whether the console changes commands such as `::error::` in the printed body of the step `bodyAloneOf`, so that the CI system does not
  /// execute them. Needed for a CI system that cannot ignore commands. Default: false.
  package var breaksCommands = false
  /// The order of the steps' lines. Default: ``Order/plan``.
  package var order = Order.plan
  /// The stream for the lines of the steps, the failures and the summary. Default: standard output. Set this to standard error if standard
  /// output contains printed values or a report.
  package var destination = Destination.standardOutput
  /// Whether to show a live view if a terminal is available. Default: true.
  package var isLive = true
  /// The CI system that reads the output. For this system, the console writes annotations; for GitHub Actions, the console also writes
  /// commands that group lines so that they can be folded. Default: no system.
  package var log: JobLog?
  /// The folder to which file names are relative in the output for a CI system. By default, file names stay as the user wrote them.
  package var sourceRoot = SourceRoot()
  /// Whether the terminal can show characters beyond ASCII. Default: true.
  package var isUnicode = true
  /// The name of the program in hints. Default: `garland`.
  package var commandName = "garland"
  /// Whether the summary shows the commands that run failed steps again. Default: true.
  package var suggestsReruns = true
  /// The maximum number of result lines that the console prints above the live view. After these lines, the console prints only results
  /// with problems. If the plan has more steps than this number, the console prints only results with problems from the beginning. Default:
  /// 1,000.
  package var scrollLimit = 1_000
  /// The maximum number of failures that the end of the output shows in full. The other failures are only counted. Default: 100.
  package var failureLimit = 100
}

extension ConsoleOptions {
  /// Creates the default options for an environment.
  ///
  /// If `CI` is set, or `TERM` is `dumb` or missing, the options have no live view. If the variable of a CI system is set, the output
  /// contains commands for this system. If the locale is not UTF-8, the output is ASCII.
  package init(environment: [String: String]) {
    self.init()
    func isSet(_ name: String) -> Bool { !["", "0", "false"].contains(environment[name] ?? "") }
    isLive = !isSet("CI") && !isSet("GITHUB_ACTIONS") && !["", "dumb"].contains(environment["TERM"] ?? "")
    log = JobLog(environment: environment)
    // An empty variable counts as unset, and the first variable that is set is used (POSIX, 8.2).
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    if let locale { isUnicode = Self.namesUTF8(locale) }
  }

  /// Returns text in the character set of the locale. If the locale is not UTF-8, drawn lines and arrows are replaced by ASCII characters.
  package func drawn(_ text: String) -> String { isUnicode ? text : Glyphs.inASCII(text) }

  /// Returns whether a locale contains `UTF-8` or `utf8`, as in `C.UTF-8` or `de_DE.utf8@euro`.
  ///
  /// The function compares bytes, because a program's first search in a Swift `String` is slow.
  private static func namesUTF8(_ locale: String) -> Bool {
    let letters = locale.utf8.filter { $0 != UInt8(ascii: "-") }.map { $0 | 0x20 }
    let name = Array("utf8".utf8)
    return letters.indices.contains { Array(letters[$0...].prefix(name.count)) == name }
  }
}
