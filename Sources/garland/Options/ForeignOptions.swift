import GarlandReports

/// Garland's counterparts of options of other tools: Hurl, Newman, Bruno, Step CI, runn, Karate, httpyac, curl, make and test runners.
enum ForeignOptions {
  /// The counterpart in Garland of another tool's option.
  enum Counterpart {
    /// The other tool's option corresponds to an option of `garland run`, such as `--concurrency COUNT`.
    case option(String)
    /// The other tool's option corresponds to a key that a step or `defaults` can have. The associated value is the key with its value.
    case setting(String)
    /// The other tool's option corresponds to a key that only a step can have. The associated value is the key with its value.
    case step(String)
    /// The option has no direct counterpart in Garland. The text is advice, as a sentence without a full stop.
    case words(String)
  }

  /// Returns advice for an option of another tool: how to write the same in `garland send`. The advice is a sentence without a full stop.
  /// Returns nil if `garland send` has no counterpart.
  static func counterpartOfSend(of name: String) -> String? { sending.first { $0.names.contains(name) }?.words }

  private static let sending: [(names: [String], words: String)] = [
    (["-H", "--headers"], "write `--header 'NAME: VALUE'`"),
    (["-X", "--request", "--method", "--url"], "the method and the URL are words of their own: `garland send POST URL`"),
    (["-d", "--data", "--data-raw", "--data-ascii", "--data-binary"], "write `--body TEXT`, `--json NAME=VALUE` or `--form NAME=VALUE`"),
    (["--data-urlencode"], "write `--form NAME=VALUE`"),
    (["-G", "--get"], "write `--query NAME=VALUE`"),
    (["-u", "--user"], "write `--basic USER:PASSWORD`"),
    (["--oauth2-bearer", "--token"], "write `--bearer TOKEN`"),
    (
      ["-o", "-O", "--out", "--output", "--output-file", "--output-dir", "--remote-name"],
      "the body is written to standard output: redirect it, as in `garland send URL > FILE`"
    ),
    (
      ["-m", "--max-time", "--timeout", "--deadline", "--connect-timeout", "--timeout-request", "--request-timeout"],
      "put a command line of curl in quotes, such as `garland send \"curl --max-time 3 URL\"`, or write a step with `deadline: 3s`"
    ),
  ]

  /// The options with which other tools name the file for the output of a command.
  static let outputFiles = ["-o", "-O", "--out", "--output", "--output-file"]

  /// Returns Garland's counterpart of another tool's option. `name` is the name of the option, including the dashes. Returns nil for an
  /// unknown option.
  static func counterpart(of name: String) -> Counterpart? { byName[name] }

  private static let byName = Dictionary(table.flatMap { names, counterpart in names.map { ($0, counterpart) } }) { first, _ in first }

  /// The options of other tools, each group with its counterpart in Garland.
  static let table: [(names: [String], counterpart: Counterpart)] =
    values + execution + selection + repetition + transport + credentials + request + output

  private static let values: [([String], Counterpart)] = [
    (
      ["--env", "-e", "--environment"],
      .words("`--profile NAME` chooses a set of variables, `--var NAME=VALUE` sets one, and `${env.NAME}` is an environment variable")
    ),
    (
      ["--variable", "--variables", "--env-var", "--global-var", "--define", "--set", "--param", "--vars", "--arg", "--inputs", "--input"],
      .option("--var NAME=VALUE")
    ),
    (
      [
        "--variables-file", "--variable-file", "--var-file", "--vars-files", "--values", "--params-file",
      ], .option("--vars-file FILE")
    ),
    (
      ["--env-file"],
      .words(
        "`--secrets-file FILE` reads secrets, and `--vars-file FILE` variables, which are shown in output; `.env` beside a project file is read without an option"
      )
    ),
    (
      ["--globals", "--global-env"],
      .words("`--vars-file FILE` reads variables; `garland help from-postman` shows how an environment of Postman becomes a profile")
    ),
    (["-p"], .option("--profile NAME")),
    (["--secrets"], .option("--secret NAME=VALUE")),
    (["--secret-file"], .option("--secrets-file FILE")),
    (
      ["--config", "--configdir", "--rcfile", "--settings"],
      .words("a document contains its own settings: those of all steps belong under `defaults:`")
    ),
    (
      ["--working-dir", "--file-root", "--root", "--cwd", "--directory"],
      .words("the files of a document are relative to it; `--allow-path DIR` lets it use a folder outside of the project")
    ),
    (
      ["--no-insecure-file-read"],
      .words("a document reads only files of its own project; `--allow-path DIR` lets it use another folder")
    ),
    (
      ["--export-environment", "--export-globals", "--export-collection"],
      .words("`--print EXPRESSION` writes a value of the run to standard output")
    ),
  ]

  private static let execution: [([String], Counterpart)] = [
    (
      ["--parallel", "-Z", "--async"],
      .words(
        "steps that do not need each other always run at the same time; `--concurrency COUNT` limits how many, and `--serial` runs one at a time"
      )
    ),
    (
      [
        "--jobs", "--threads", "--workers", "--max-workers", "--numprocesses", "--concurrent", "--parallel-max", "--parallelism",
        "--max-concurrency", "--connections",
      ], .option("--concurrency COUNT")
    ),
    (["--sequential", "--no-parallel", "--runInBand", "--run-in-band", "--in-order", "--sync"], .option("--serial")),
    (
      ["--bail", "--fail-early", "--exitfirst", "--stop-on-failure", "--stop-on-error", "--stop-on-first-failure", "--abort-on-fail"],
      .option("--fail-fast")
    ),
    (["--maxfail", "--max-errors", "--max-fail"], .option("--max-failures COUNT")),
    (
      ["--fail-at-end", "--continue-on-error", "--continue-on-failure", "--keep-going", "--no-fail-fast", "--no-bail"],
      .words("a failure keeps only those steps from running that need the failed one, unless `--fail-fast` is given")
    ),
    (["--suppress-exit-code", "--ignore-errors", "--no-assert", "--ignore-asserts", "--exit-zero"], .setting("allow_failure: true")),
    (["--fail", "--fail-with-body"], .words("a status of 400 or more fails a step, unless it has `expect: { status: … }`")),
    (
      ["--dry-run", "--dryrun", "--validate", "--lint", "--syntax-check", "--check", "--no-run", "--noop", "--what-if"],
      .words("`garland check PATH` finds mistakes and `garland plan PATH` shows what would run; both send nothing")
    ),
    (
      ["--list", "--list-tests", "--list-steps", "--collect-only", "--list-tags", "--ls"],
      .words("`garland list PATH` lists steps and tags")
    ),
    (["--random", "--random-order"], .option("--shuffle random")),
    (
      ["--watch-all", "--watchAll", "--live-reload"], .option("--watch")
    ),
    (
      ["-n"],
      .words(
        "`-n` has different meanings in other tools: to repeat a step, write `for_each: \"${3 | range}\"`; to limit simultaneous requests, `--concurrency COUNT`; to show what would run, `garland plan PATH`"
      )
    ),
    (
      ["--limit"],
      .words(
        "`--only PATTERN` chooses steps, `--concurrency COUNT` limits the requests at a time, and `--max-failures COUNT` ends the run after this many failures"
      )
    ),
    (["--wait-timeout", "--wait-for", "--wait-on"], .option("--wait DURATION")),
    (["--run-timeout", "--global-timeout", "--total-timeout", "--timeout-global"], .option("--deadline DURATION")),
    (
      ["--timeout"],
      .words(
        "`--deadline DURATION` limits the run; in a step or under `defaults:`, `deadline: 30s` limits the whole request, and `timeout: 30s` each wait for data"
      )
    ),
    (["--vus", "--virtual-users", "--spawn-users"], .option("--users COUNT")),
    (["--rps", "--arrival-rate", "--qps"], .option("--rate NUMBER/s")),
    (["--loadtest"], .words("`--users COUNT` or `--rate NUMBER/s` sends load, for a `--duration`")),
    (["--ramp-up", "--rampup", "--spawn-rate"], .option("--ramp DURATION")),
    (["--threshold", "--thresholds"], .option("--expect 'p95 < 300ms'")),
    (["--test", "--tests-only", "--assert"], .words("`garland run` always checks what the steps expect")),
  ]

  private static let selection: [([String], Counterpart)] = [
    (["--tags", "--label", "--labels", "-t", "--include-tags", "--group"], .option("--tag TAG")),
    (
      ["--exclude-tags", "--skip-tags"],
      .words("`--skip PATTERN` leaves steps out by their ids; a tag can only be chosen, with `--tag TAG`")
    ),
    (
      ["--folder", "--recursive", "--glob", "--files", "--path", "--collection", "--spec", "--pattern"],
      .words("a path may be a folder: `garland run FOLDER` runs each workflow in it and in the folders below")
    ),
    (
      ["--filter", "--grep", "--match", "--name", "--id", "--run", "--scenario", "--testcase", "--test-name-pattern"],
      .option("--only PATTERN")
    ),
    (["--exclude", "--ignore", "--skip-test", "--deselect"], .option("--skip PATTERN")),
    (
      ["--from-entry", "--to-entry", "--line", "--entry", "--start-at", "--start-at-task", "--all", "-a"],
      .words("every step runs unless some are named: `garland run FILE STEP` runs those and what they need")
    ),
    (
      ["--sample"],
      .words("`--only PATTERN` and `--tag TAG` choose a part of the steps")
    ),
    (["--since", "--changed", "--only-changed", "--affected"], .option("--changed-since REVISION")),
  ]

  private static let repetition: [([String], Counterpart)] = [
    (["--iteration-count", "--iterations", "--count", "--times", "--repeat-each"], .option("--repeat COUNT")),
    (["--shard-index", "--shard-n", "--shard-id", "--splits", "--split", "--ci-node-index"], .option("--shard NUMBER/COUNT")),
    (["--last-failed", "--lf", "--rerun-failures", "--only-failures"], .option("--failed-from REPORT")),
    (["--reruns", "--flaky-test-attempts", "--rerun-failing-tests-count"], .option("--rerun-failed COUNT")),
    (["--iteration-data", "--csv-file-path", "--json-file-path", "--csv", "--data-file"], .step("rows: users.csv")),
    (["--retry", "--retries", "--max-retries", "--retry-connrefused", "--retry-all-errors"], .setting("retry: 3")),
    (["--retry-interval", "--retry-delay", "--retry-wait", "--reruns-delay"], .setting("retry: { limit: 3, delay: 1s }")),
    (["--retry-max-time"], .setting("deadline: 2m")),
    (["--delay", "--delay-request", "--sleep", "--pause", "--wait-time"], .setting("delay: 500ms")),
  ]

  private static let transport: [([String], Counterpart)] = [
    (
      [
        "-k", "--insecure", "--no-verify", "--no-check-certificate", "--skip-ssl-verify", "--no-ssl-verify", "--disable-ssl-verification",
        "--no-strict-ssl", "--tls-skip-verify",
      ], .setting("tls: { verify: false }")
    ),
    (
      ["--cacert", "--ca", "--capath", "--ca-bundle", "--ca-cert", "--ssl-extra-ca-certs", "--ignore-truststore"],
      .setting("tls: { ca: ca.pem }")
    ),
    (
      [
        "--cert", "-E", "--key", "--client-cert", "--client-cert-config", "--ssl-client-cert", "--ssl-client-key", "--ssl-client-cert-list",
      ],
      .setting("tls: { cert: client.pem, key: client.key }")
    ),
    (["--pinnedpubkey"], .setting("tls: { pins: [sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=] }")),
    (["--tlsv1.2", "--tlsv1.3", "--tls-min"], .setting("tls: { min: '1.2' }")),
    (
      ["--location", "-L", "--follow", "--follow-redirects"],
      .words("redirects are followed, unless a step or `defaults:` has `redirect: false`")
    ),
    (["--ignore-redirects", "--no-follow", "--no-location", "--no-redirects"], .setting("redirect: false")),
    (["--max-redirs", "--max-redirects"], .setting("redirect: { max: 5 }")),
    (["-x", "--proxy", "--http-proxy", "--https-proxy"], .setting("proxy: http://127.0.0.1:3128")),
    (["--proxy-user", "-U"], .setting("proxy: 'http://alice:${secrets.PASSWORD}@127.0.0.1:3128'")),
    (["--noproxy", "--no-proxy"], .setting("proxy: none")),
    (["--max-time", "-m", "--timeout-request", "--request-timeout"], .setting("deadline: 30s")),
    (["--connect-timeout", "--speed-time", "--read-timeout"], .setting("timeout: 5s")),
    (["--http1.1", "--http1.0", "-0"], .setting("http: '1.1'")),
    (["--http2", "--http2-prior-knowledge", "--http3"], .setting("http: '2'")),
    (["--resolve"], .setting("resolve: { 'example.com:443': 127.0.0.1 }")),
    (["--connect-to"], .setting("connect_to: { 'example.com:443': '127.0.0.1:8443' }")),
    (["--unix-socket"], .setting("unix_socket: /run/app.sock")),
    (["--interface"], .setting("interface: eth0")),
    (["--limit-rate"], .setting("rate_limit: 1MB")),
    (["--max-filesize"], .setting("max_body: 10MiB")),
    (["--compressed"], .words("compressed responses are asked for and decompressed by default")),
    (["--cache-dir", "--cache"], .setting("cache: { dir: .cache }")),
    (["--base-url", "--host", "--server"], .setting("base_url: https://api.example.com")),
  ]

  private static let credentials: [([String], Counterpart)] = [
    (["--user", "-u", "--basic", "--auth"], .setting("basic: 'alice:${secrets.PASSWORD}'")),
    (["--digest"], .setting("digest: 'alice:${secrets.PASSWORD}'")),
    (["--oauth2-bearer", "--bearer", "--token"], .setting("bearer: '${secrets.TOKEN}'")),
    (
      ["--ntlm", "--negotiate", "--aws-sigv4", "--oauth"],
      .words("the document declares it under `auth:`, and a step names it with `auth: NAME`")
    ),
    (
      ["--netrc", "--netrc-file", "--netrc-optional"],
      .words("a step has its own user and password, `basic: 'alice:${secrets.PASSWORD}'`; no netrc file is read")
    ),
    (
      ["--location-trusted"],
      .words("redirects are followed, and credentials are not sent to another origin")
    ),
  ]

  private static let request: [([String], Counterpart)] = [
    (["--header", "-H", "--headers"], .setting("headers: { Accept: application/json }")),
    (["--user-agent", "-A"], .setting("headers: { User-Agent: smoke/1.0 }")),
    (["--referer"], .setting("headers: { Referer: https://example.com/ }")),
    (["--cookie", "-b"], .setting("cookies: { session: abc }")),
    (["--cookie-jar", "-c", "--export-cookie-jar"], .setting("cookies: cookies.txt")),
    (["--no-cookie-store", "--disable-cookies", "--no-cookies"], .setting("cookies: none")),
    (["--request", "-X", "--method", "--url"], .step("get: https://example.com/")),
    (["--data", "--data-raw", "--data-ascii", "--body"], .step("body: title=Dune")),
    (["--data-binary", "--upload-file"], .step("body: { file: order.xml }")),
    (["--data-urlencode"], .step("form: { title: Dune }")),
    (["--form", "-F", "--form-string"], .step("multipart: { caption: Front cover }")),
    (["--get", "-G"], .step("query: { page: 2 }")),
    (["-O", "--remote-name"], .step("download: { to: out, name: suggested }")),
  ]

  private static let output: [([String], Counterpart)] = [
    (
      ["--report-junit", "--junit", "--junitxml", "--junit-xml", "--junit-report", "--reporter-junit", "--reporter-junit-export"],
      .option("--report junit=FILE")
    ),
    (
      [
        "--report-json", "--json", "--verbose-json", "--reporter-json", "--reporter-json-export", "--json-report", "--log-json",
      ], .option("--report json=FILE")
    ),
    (
      ["--html", "--report-html", "--html-report", "--reporter-html", "--reporter-html-export", "--reporter-htmlextra-export"],
      .option("--report html=FILE")
    ),
    (["--tap", "--report-tap", "--reporter-tap"], .option("--report tap=FILE")),
    (["--har", "--report-har"], .option("--report har=FILE")),
    (["--markdown", "--report-markdown", "--report-md"], .option("--report markdown=FILE")),
    (
      ["--allure", "--reporters", "--reporter", "--format", "--output-format", "--report-format", "--reporter-export"],
      .words(
        "`--report FORMAT=FILE` writes a report, such as `--report json=FILE`; the formats are "
          + ReportFormat.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "))
    ),
    (
      ["--output", "-o", "--out", "--output-file", "--output-dir"],
      .words(
        "`--report json=FILE` writes a report, `--show body` shows the bodies, and a step with `download: FILE` writes the body of its response"
      )
    ),
    (["--include", "-i", "--head", "-I", "--show-headers"], .option("--show headers")),
    (
      ["--debug", "--very-verbose", "--trace", "--trace-ascii", "--verbosity", "--log-level", "--loglevel", "-vv", "--output-all"],
      .option("--show all")
    ),
    (["--silent", "-s", "--no-output", "--quiet-output", "--no-progress-meter", "--summary-only"], .option("--quiet")),
    (["--no-color", "--no-colour", "--nocolor", "--no-ansi", "--monochrome"], .option("--color never")),
    (["--force-color", "--ansi", "--colors"], .option("--color always")),
    (["--write-out", "-w", "--export", "--extract", "--capture"], .option("--print EXPRESSION")),
    (["--curl", "--libcurl"], .words("`garland curl FILE STEP` writes a step as a curl command")),
    (["--warnings-as-errors", "--werror", "--pedantic"], .option("--strict")),
    (["--update-snapshot", "--snapshot-update", "--update"], .option("--update-snapshots")),
  ]
}
