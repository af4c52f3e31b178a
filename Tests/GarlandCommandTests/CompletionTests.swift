import ArgumentParser
import Glibc
import TestSupport
import Testing

@testable import garland

/// Tests of the words that shells suggest when Tab is pressed.
@Suite(.timeLimit(.minutes(15))) struct CompletionTests {
  private static let document = """
    garland: 1
    profiles: { staging: {}, live: {} }
    auth: { shop: {}, other: {} }
    steps:
      login: { post: /login, tags: [smoke, slow] }
      # Nothing is right about it, but its name.
      create: { gte: /books, tags: smoke }

    """

  @Test(arguments: [
    ("create", "create", "create"), ("über-all_1.yaml", "über-all_1.yaml", "über-all_1.yaml"), ("a b", #"a\ b"#, "a b"),
    ("$(rm x)", #"\$\(rm\ x\)"#, "$(rm x)"), ("`id`", #"\`id\`"#, "`id`"), ("<(id)", #"\<\(id\)"#, "<(id)"), ("~root", #"\~root"#, "~root"),
    ("a:b", #"a\:b"#, #"a\:b"#), (#"a\b"#, #"a\\b"#, #"a\\b"#), ("{a,b}'\"", #"\{a,b\}\'\""#, "{a,b}'\""),
  ]) func `special characters in a shell completion are quoted for the shell`(name: String, bash: String, zsh: String) {
    #expect(CompletionWord.quoted(name, for: .bash) == bash)
    #expect(CompletionWord.quoted(name, for: .zsh) == zsh)
    #expect(CompletionWord.quoted(name, for: .fish) == name)
  }

  @Test(arguments: ["", "two\nlines", "\u{1B}[2J", "a\tb", "\u{202E}a"])
  func `a name with a line break, a tab or a control character is not offered as a shell completion`(
    name: String
  ) {
    for shell in [CompletionShell.bash, .zsh, .fish] { #expect(CompletionWord.quoted(name, for: shell) == nil) }
  }

  @Test func `bash does not execute commands in the names that it completes`() async throws {
    let folder = try TemporaryFolder()
    let hostile = "garland: 1\nsteps: { '$(touch stolen)': {}, '`touch stolen`': {}, 'a b': {} }\n"
    try folder.write("w.yaml", hostile)
    try folder.write("x$(touch stolen).yaml", hostile)
    try folder.write("script", try await Garland.run(["--generate-completion-script", "bash"], in: folder.path).output)
    let asked = try await ChildProcess.run(
      "/bin/bash",
      [
        "-c",
        """
        source ./script
        COMP_WORDS=("$GARLAND" run w.yaml ""); COMP_CWORD=3; COMP_LINE="garland run w.yaml "; COMP_POINT=${#COMP_LINE}; COMPREPLY=()
        _garland garland "" w.yaml; printf '%s\\n' "${COMPREPLY[@]}"; ls
        """,
      ], environment: ["GARLAND": Garland.path, "PATH": "/usr/bin:/bin"], in: folder.path)
    #expect(
      asked.output == """
        w.yaml
        x$(touch stolen).yaml
        $(touch stolen)
        `touch stolen`
        a b
        script
        w.yaml
        x$(touch stolen).yaml

        """, "\(asked.output)\(asked.error)")
  }

  @Test func `the names of steps, tags, profiles and auth settings in a document are offered as shell completions`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.document)
    try folder.write("notes.txt", "")
    #expect(Completion.steps(["garland", "run", folder.path + "/w.yaml", "--step", ""], 4, "") == ["login", "create"])
    #expect(Completion.tags(["garland", "run", "'\(folder.path)/w.yaml'", "--tag", ""], 4, "") == ["smoke", "slow"])
    #expect(Completion.profiles(["garland", "run", folder.path, "--profile", "s"], 4, "s") == ["staging", "live"])
    #expect(Completion.authentications(["garland", "auth", "login", "", folder.path + "/w.yaml"], 3, "") == ["shop", "other"])
    let words = ["garland", "run", folder.path + "/w.yaml", folder.path + "/"]
    #expect(Completion.pathsAndSteps(words, 3, words[3]) == [folder.path + "/w.yaml", "login", "create"])
    #expect(Completion.pathsAndSteps(["garland", "run", "nowhere.yaml", ""], 3, "/nowhere/").isEmpty)
    #expect(Completion.pathsAndSteps(["garland", "run", "--report", "junit", "=", "a"], 5, "a").isEmpty)
  }

  @Test func `after ~/ on the command line, paths below the home folder are offered as shell completions`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("suite/w.yaml", Self.document)
    func asked(_ argument: String, _ words: [String]) async throws -> [Substring] {
      let line = ["---completion", "run", "--", argument, "\(words.count - 1)", "\(words.last?.count ?? 0)"] + words
      let result = try await Garland.run(line, environment: ["HOME": folder.path, "SAP_SHELL": "fish"])
      return result.output.split(separator: "\n")
    }
    #expect(try await asked("positional@0", ["garland", "run", "~/"]) == ["~/suite/"])
    #expect(try await asked("positional@0", ["garland", "run", "~/suite/w"]) == ["~/suite/w.yaml"])
    #expect(try await asked("--tag", ["garland", "run", "~/suite/w.yaml", "--tag", ""]) == ["smoke", "slow"])
  }

  @Test func `shell completion does not wait for a named pipe in a folder`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.document)
    mkfifo(folder.path + "/a.yaml", 0o600)
    symlink("/dev/zero", folder.path + "/b.yaml")
    #expect(Completion.tags(["garland", "run", folder.path, "--tag", ""], 4, "") == ["smoke", "slow"])
    try folder.write("w.yaml", "garland: 1\nsteps: { a: { get: https://example.com/ } }\n")
    let listed = try await Garland.run(["list", "."], in: folder.path)
    #expect(listed.status == 0 && listed.output.contains("GET https://example.com/"), "\(listed.output)\(listed.error)")
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func `a completion script offers the option --help only once for each command`(shell: String)
    async throws
  {
    let script = try await Garland.run(["completions", shell]).output
    #expect(!script.contains("Show subcommand help information.") && !script.contains("help|help") && !script.contains("help help"))
    #expect(script.split(separator: "_garland_help() {", omittingEmptySubsequences: false).count == (shell == "fish" ? 1 : 2))
  }

  /// Runs commands of Bash, in which `ask WORD…` writes what the completion script in `script` offers for the last word.
  private static func bash(_ commands: String, in folder: TemporaryFolder) async throws -> ChildProcess.Result {
    try await ChildProcess.run(
      "/bin/bash",
      [
        "-c",
        """
        source ./script
        ask() {
          COMP_WORDS=("$GARLAND" "${@}"); COMP_CWORD=$#; COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}; COMPREPLY=()
          _garland garland "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"; echo "${COMPREPLY[@]}"
        }
        \(commands)
        """,
      ], environment: ["GARLAND": Garland.path], in: folder.path)
  }

  @Test func `bash completes the topics of garland help`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("script", try await Garland.run(["completions", "bash"], in: folder.path).output)
    let asked = try await Self.bash("ask hel; ask help expectat", in: folder)
    let lines = asked.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 3 && lines[0] == "help", "\(asked.output)\(asked.error)")
    #expect(lines[1].split(separator: " ").contains("expectations"), "\(asked.output)")
  }

  @Test func `bash completes the value after the equals sign of an option`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.document)
    try folder.write("script", try await Garland.run(["completions", "bash"], in: folder.path).output)
    // bash passes the `=` of `--fix=as` as a word of its own.
    let values = try await Self.bash("ask check --fix =; ask check --fix = as; ask run w.yaml --color = ne; ask check --fix w", in: folder)
    #expect(values.output == "all ask\nask\nnever\nw.yaml\n", "\(values.output)\(values.error)")
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func `a shell that has loaded the completion script offers completions for garland`(
    shell: String
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.document)
    let script = try await Garland.run(["--generate-completion-script", shell], in: folder.path)
    #expect(script.status == 0)
    for part in ["---completion run", "---completion auth login"] { #expect(script.output.contains(part), "\(shell)") }
    try folder.write("script", script.output)
    // The other shells give no suggestions without a terminal.
    guard shell == "bash" else { return }
    let asked = try await Self.bash(
      "ask run w.yaml lo; ask run w; ask run w.yaml --tag sm; ask run w.yaml --profile st; ask run w.yaml --report ju; ask auth login sh",
      in: folder)
    #expect(
      asked.output == "login\nw.yaml\nsmoke\nstaging\njunit=report.xml\nshop\n", "\(asked.output)\(asked.error)")
  }
}
