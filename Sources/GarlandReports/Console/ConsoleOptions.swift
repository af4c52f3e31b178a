/// The content and form of a console's output.
public struct ConsoleOptions: Sendable {
  /// How much a console shows.
  public enum Verbosity: Sendable, Hashable {
    /// Failures and the summary.
    case quiet
    /// A line for each step, failures, the summary.
    case normal
    /// The whole exchange of each step as well, its timings and what was extracted.
    case verbose
  }

  /// The parts of each step's exchanges that a console shows below its line.
  public enum Show: String, Sendable, Hashable, CaseIterable {
    /// The response's body.
    case body
    /// The header fields of request and response.
    case headers
    /// Headers and bodies of both.
    case all
  }

  /// The order of lines where they don't scroll above a live view.
  public enum Order: Sendable, Hashable {
    /// Plan order, the same in each run: a line is held until those before it have left. At most 16 MiB are held; beyond, lines leave as they come.
    case plan
    /// The order in which the steps end.
    case completion
  }

  /// The standard stream of lines, failures and summary.
  public enum Destination: Sendable, Hashable {
    case standardOutput, standardError
  }

  /// Default: ``Verbosity/normal``.
  public var verbosity = Verbosity.normal
  /// Default: nothing.
  public var show: Show?
  /// The step whose response body is printed alone to standard output, `id` or `file#id`, as a collection of requests is used. Everything
  /// else then goes to standard error. Default: none.
  public var bodyAloneOf: String?
  /// The token at which GitHub's runner reads commands again, while that body is printed to its
  /// log. A server must not be able to guess it. Default: nil, the body is not printed there.
  public var commandPause: String?
  /// Whether commands are broken in that body, because it goes to the log of a system that cannot
  /// ignore them. Default: false.
  public var breaksCommands = false
  /// Default: ``Order/plan``.
  public var order = Order.plan
  /// Default: standard output. Set it to standard error where that is kept for values.
  public var destination = Destination.standardOutput
  /// Whether a live view is shown when there is a terminal to show it on. Default: true.
  public var isLive = true
  /// The CI system that reads along: annotations are written for it, and groups for GitHub's. Default: none.
  public var log: JobLog?
  /// The folder that the CI system names files from. Default: files are named as the user named them.
  public var sourceRoot = SourceRoot()
  /// Whether the terminal shows more than ASCII. Default: true.
  public var isUnicode = true
  /// The program's name in hints. Default: `garland`.
  public var commandName = "garland"
  /// The options of the command line that a rerun of the failed steps needs as well, such as
  /// `--sandbox`. Default: none.
  public var rerunOptions: [String] = []
  /// Whether the summary shows the commands that run failed steps again. Default: true.
  public var suggestsReruns = true
  /// The number of steps whose lines scroll by on a terminal; in a larger plan, only problems do.
  /// Default: 1,000.
  public var scrollLimit = 1_000
  /// How many failures are shown in full at the end; the rest is counted. Default: 100.
  public var failureLimit = 100

  /// The defaults.
  public init() {}

  /// Makes the defaults for an environment: no live view if `CI` is set or `TERM` is `dumb` or
  /// missing, the commands of a CI system if its variable is set, ASCII if the locale is not UTF-8.
  public init(environment: [String: String]) {
    func isSet(_ name: String) -> Bool { !["", "0", "false"].contains(environment[name] ?? "") }
    isLive = !isSet("CI") && !isSet("GITHUB_ACTIONS") && !["", "dumb"].contains(environment["TERM"] ?? "")
    log = JobLog(environment: environment)
    // An empty variable counts as unset, and the first that is set decides (POSIX, 8.2).
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    if let locale { isUnicode = Self.namesUTF8(locale) }
  }

  /// Returns a drawing in the character set of the locale: with ASCII in place of lines and arrows where it is not UTF-8.
  public func drawn(_ text: String) -> String { isUnicode ? text : Glyphs.inASCII(text) }

  /// Whether a locale contains `UTF-8` or `utf8`, as in `C.UTF-8` or `de_DE.utf8@euro`. Compares
  /// bytes: the first search in a text is slow.
  private static func namesUTF8(_ locale: String) -> Bool {
    let letters = locale.utf8.filter { $0 != UInt8(ascii: "-") }.map { $0 | 0x20 }
    let name = Array("utf8".utf8)
    return letters.indices.contains { Array(letters[$0...].prefix(name.count)) == name }
  }
}
