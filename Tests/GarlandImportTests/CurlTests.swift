import GarlandDiagnostics
import Testing

@testable import GarlandImport

/// Tests of the effects of curl command lines that a server cannot observe. `CurlTableTests` compares the requests.
struct CurlTests {
  @Test func `if the -d option of an imported curl command reads a file with NUL bytes, a warning says that these bytes are omitted`() {
    let (text, notes) = Self.imported("curl http://h/ -d @a.bin\n") { _ in Array("ab\0cd\r\nx".utf8) }
    #expect(text.contains("body: { base64: YWJjZHg= }"), "\(text)")
    #expect(
      notes.contains { $0.contains("NUL bytes, which are left out") && $0.contains("curl 7 leaves out the rest of their lines") },
      "\(notes)")
  }

  /// Returns the lines of an imported workflow without its head and its end, and the diagnostics.
  private static func imported(_ text: String, reading: @escaping ImportFileReading = { _ in nil }) -> (text: String, notes: [String]) {
    let result = Importer.workflow(from: [SourceFile(name: "a.sh", bytes: Array(text.utf8))], reading: reading)
    if let text = result.text { #expect(ImportTests.check(text) == "", "\(text)") }
    return (result.text ?? "", result.diagnostics.all.map(\.message))
  }

  @Test(arguments: [
    ("curl https://h/ -k", "tls: { verify: false }"), ("curl https://h/ --tlsv1.3", "tls: { min: 1.3 }"),
    ("curl https://h/ --tlsv1.0", "tls: { min: 1.0 }"), ("curl https://h/ -1", "tls: { min: 1.0 }"),
    ("curl https://h/ --cacert a.pem -E b.pem --key c.pem", "tls: { ca: a.pem, cert: b.pem, key: c.pem }"),
    (
      "curl https://h/ --pinnedpubkey sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
      "tls: { pins: [sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=] }"
    ),
    ("curl https://h/ -E b.p12:secret", "tls: { cert: b.p12, password: \"${secrets.KEY_PASSWORD}\" }"),
    ("curl https://h/ -E b.pem --pass secret", "tls: { cert: b.pem, password: \"${secrets.KEY_PASSWORD}\" }"),
    ("curl https://h/ --http2", "http: 2"), ("curl https://h/ --http1.1", "http: 1.1"), ("curl https://h/ -m 1.5", "deadline: 1500ms"),
    ("curl https://h/ --limit-rate 10k", "rate_limit: 10240B"), ("curl https://h/ --max-filesize 1M", "max_body: 1048576B"),
    ("curl https://h/ --unix-socket /run/a.sock", "unix_socket: /run/a.sock"), ("curl https://h/ --interface eth0", "interface: eth0"),
    ("curl https://h/ -x proxy", "proxy: http://proxy:1080"), ("curl https://h/ --socks5-hostname p:9", "proxy: socks5h://p:9"),
    ("curl https://h/ -x p:1 --noproxy h", "proxy: none"),
    ("curl https://h/ --resolve h:443:127.0.0.1", "resolve: { \"h:443\": 127.0.0.1 }"),
    ("curl https://h/ --connect-to ::other:8443", "connect_to: { \"h:443\": \"other:8443\" }"),
    ("curl https://h/ --retry 3", "retry: { limit: 3, delay: 1s }"),
    ("curl https://h/ --retry 3 --retry-delay 2", "retry: { limit: 3, delay: 2s, factor: 1, jitter: 0 }"),
    ("curl https://h/ -o a.bin", "download: { to: a.bin, replace: true }"),
    ("curl -O https://h/x/a.bin", "download: { to: a.bin, replace: true }"),
    ("curl https://h/a -OJ --output-dir out", "download: { to: out/., name: suggested, replace: true }"),
    ("curl https://h/ -L", "redirect: { max: 50 }"), ("curl https://h/ -L --max-redirs 3", "redirect: { max: 3 }"),
    ("curl https://h/ -c jar.txt", "cookies: jar.txt"),
    ("curl https://h/ -H 'Accept: text/css'", "expect: { type: \"*/*\" }"),
  ]) func `each curl option about the connection or the response is imported as a key of the step`(command: String, line: String) {
    let text = Self.imported(command).text
    #expect(text.contains("  \(line)\n"), "\(text)")
  }

  @Test(arguments: [
    ("curl https://h/ --tls-max 1.2", "`--tls-max` has no counterpart in Garland, and was left out"),
    ("curl https://h/ --http1.0", "`--http1.0` has no counterpart in Garland, and was left out"),
    ("curl https://h/ --location-trusted", "`--location-trusted` has no counterpart in Garland, and was left out"),
    ("curl https://h/ --connect-timeout 3", "`--connect-timeout` has no counterpart in Garland, and was left out"),
    ("curl https://h/ -r 0-5 -d a=1", "with `--range` and a body, curl sends `Content-Range` or no range; the step sends `Range`"),
    ("curl https://h/ --no-alpn", "`--no-alpn` has no counterpart in Garland, and was left out"),
    ("curl https://h/ --co", "`--co` is ambiguous: it may be `--compressed` or `--compressed-ssh` or `--config`; it was left out"),
    (
      "curl https://h/ -u \"$BOTH\"",
      "`--user ${env.BOTH}` is taken as a user without a password; the step uses the secret `PASSWORD`"
    ),
    ("curl https://h/a -o x -o y", "there are more `--output` than URLs"),
    ("curl 'https://h/[1-2000]'", "`https://h/[1-2000]` expands to more than 1000 requests, and was left out"),
  ]) func `the import of a curl command adds a note for each option that Garland cannot reproduce exactly`(command: String, note: String) {
    #expect(Self.imported(command).notes.contains(note), "\(Self.imported(command).notes)")
  }

  @Test(arguments: [
    ("curl https://h/ | jq .a", [notCurl]), ("curl https://h/ | jq .a | tee a.txt", [notCurl, notCurl]),
    ("curl https://h/ && echo done", [notCurl]), ("curl https://h/; echo done", [notCurl]), ("curl https://h/ || echo no", [notCurl]),
    ("curl https://h/ > a.txt", [redirection]), ("curl https://h/ 1>>a.txt", [redirection]), ("curl https://h/ > /dev/null 2>&1", []),
    ("curl https://h/ 2> a.txt", []), ("curl https://h/ 2>&1 | jq .a > a.txt", [notCurl]), ("curl https://h/ &> a.txt", [redirection]),
    ("curl https://h/ >& a.txt", [redirection]), ("curl https://h/ >| a.txt", [redirection]), ("curl https://h/ &> /dev/null", []),
    ("curl https://h/ >&2", []),
  ]) func `if a curl command is part of a shell command, a warning names each part that is not imported`(command: String, notes: [String]) {
    let (text, found) = Self.imported(command)
    #expect(found == notes && text.contains("get: https://h/\n"), "\(found)\n\(text)")
  }

  private static let notCurl = "this text is not a curl command, and was left out"
  private static let redirection = "this redirection was left out"

  @Test(arguments: [
    "curl ^\"https://h/a?b=1^&c=2^\" ^\r\n  -X ^\"POST^\" ^\r\n  -H ^\"x-one: a ^\\^\"b^\\^\"^\" ^\r\n  --data-raw ^\"^{^\\^\"a^\\^\":1^}^\"\r\n",
    "curl \"https://h/a?b=1&c=2\" ^\n  -X POST ^\n  -H \"x-one: a \\\"b\\\"\" ^\n  --data-raw \"{\\\"a\\\":1}\"\n",
    "curl.exe \"https://h/a?b=1&c=2\" -X POST -H ^\"x-one: a \"\"b\"\"^\" ^\n --data-raw \"{\"\"a\"\":1}\"",
  ]) func `a curl command that was copied for the Windows command prompt is parsed with the quoting rules of Windows`(command: String) {
    let bash = "curl 'https://h/a?b=1&c=2' -X POST -H 'x-one: a \"b\"' --data-raw '{\"a\":1}'"
    #expect(Self.imported(command).text == Self.imported(bash).text)
  }

  @Test(arguments: [
    "Invoke-WebRequest -UseBasicParsing -Uri \"https://h/\" `\n-Method \"POST\"",
    "$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession\nInvoke-WebRequest -Uri \"https://h/\"",
    "curl.exe https://h/ `\n  -H \"A: b\"", "curl -Uri https://h/ -Headers @{ A = 'b' }",
  ]) func `PowerShell commands are refused with a message that names PowerShell`(command: String) {
    let (text, notes) = Self.imported(command)
    #expect(text.isEmpty && notes == ["these are commands of PowerShell, which can't be read"], "\(notes)")
  }

  @Test(arguments: ["curl https://h/?d=`date`\ncurl https://h/b\n", "curl https://h/ -d @- <<'EOF'\nuse `x`\nEOF\n"])
  func `a shell script with a line that ends with a backquote is not treated as PowerShell`(command: String) {
    let (text, notes) = Self.imported(command)
    #expect(!text.isEmpty && !notes.contains { $0.contains("PowerShell") }, "\(notes)")
  }

  @Test(arguments: [
    ("curl https://h/ -H \"Authorization: Bearer ${WORD:-hunter2x}\"", "bearer: ${secrets.WORD}"),
    ("curl \"https://h/?api_key=${WORD-hunter2x}\"", "get: \"https://h/?api_key=${secrets.WORD | raw}\""),
  ]) func `if the default value of a shell variable is a credential, the credential is not written into the workflow`(
    command: String, line: String
  ) {
    let (text, notes) = Self.imported(command)
    #expect(text.contains("    \(line)\n") && !text.contains("hunter2x"), "\(text)")
    #expect(notes.count == 1 && notes[0].hasSuffix("are not written into the workflow"), "\(notes)")
  }

  @Test func `curl options and header fields are read from the files that the command names`() {
    let files = [
      "c.txt": "# all\n-X PUT\nurl = https://h/c\nheader: \"A: \\\"b\\\"\"\n\nsilent\n", "h.txt": "X-One: 1\r\nX-Two: 2\n",
    ]
    let (text, notes) = Self.imported("curl -K c.txt -H @h.txt") { files[$0].map { Array($0.utf8) } }
    #expect(notes.isEmpty)
    #expect(text.contains("put: https://h/c") && text.contains("A: \"\\\"b\\\"\", X-One: \"1\", X-Two: \"2\""), "\(text)")
  }

  @Test(arguments: ["config = c.txt\n", "config = c.txt\nconfig = c.txt\n"])
  func `a file of curl options that includes itself is read only a limited number of times`(source: String) {
    let (text, notes) = Self.imported("curl -K c.txt https://h/") { _ in Array(source.utf8) }
    #expect(text.contains("get: https://h/"), "\(text)")
    #expect(notes == ["only the first 20 files of `--config` were read"], "\(notes)")
  }

  @Test func `the import of a curl command replaces a password in a JSON body with a secret, and keeps the other text`() {
    let command = #"curl https://h/ -H 'Content-Type: application/json' -d '{"user": "a", "password": "p\"w", "n": 1.50}'"#
    let text = Self.imported(command).text
    #expect(text.contains(#"body: "{\"user\": \"a\", \"password\": ${secrets.PASSWORD | json}, \"n\": 1.50}""#), "\(text)")
  }

  @Test func `an imported setting becomes a default only if all imported requests have this setting`() {
    let (text, _) = Self.imported("curl https://h/a\ncurl -L https://h/b --compressed")
    #expect(text.contains("defaults:\n  base_url: https://h\n  cookies: none\n"), "\(text)")
    #expect(text.contains("get: /a\n    headers: { Accept-Encoding: null }\n    redirect: false\n"), "\(text)")
    #expect(text.contains("get: /b\n    redirect: { max: 50 }\n"), "\(text)")
  }
}
