import GarlandDiagnostics
import GarlandPlanner
import GarlandWorkflow
import Glibc

extension Workspace {
  /// The maximum size of a file with values, in bytes. Such files are small; the limit only protects memory.
  private static let valuesLimit = 16 << 20

  /// Reads the values of `--var` and `--secret`, and the files of `--vars-file` and `--secrets-file`. Stores the secrets, and returns the
  /// variables. The variables of the command line follow those of files, because later values take precedence.
  mutating func readValues() -> [WorkflowDecoder.Override] {
    var overrides: [WorkflowDecoder.Override] = []
    refuseSharedStandardInput()
    for path in values.variableFiles {
      guard let file = readValuesFile(path, for: "--vars-file", or: "--var") else { continue }
      overrides += collecting { ValuesFile.variables(name: file.name, file.format, bytes: file.bytes, into: &$0) }
    }
    for argument in values.variables where !keepGiven(argument) {
      if let override = collecting({ ValuesFile.variable(argument, into: &$0) }) { overrides.append(override) }
    }
    for argument in values.textVariables where !keepGiven(argument, asText: true) {
      if let override = collecting({ ValuesFile.textVariable(argument, into: &$0) }) { overrides.append(override) }
    }
    for path in values.secretFiles {
      guard let file = readValuesFile(path, for: "--secrets-file", or: "--secret") else { continue }
      let secrets = collecting { ValuesFile.secrets(name: file.name, file.format, bytes: file.bytes, into: &$0) }
      for secret in secrets { keep(secret.value, named: secret.name.value, from: file.name) }
    }
    for argument in values.secrets {
      guard let secret = collecting({ ValuesFile.secret(argument, into: &$0) }) else { continue }
      keep(secret.value, named: secret.name.value, from: "--secret")
      givenSecrets.append(secret.name)
    }
    return overrides
  }

  /// Reports a command line that names standard input several times, since standard input can be read only once.
  private mutating func refuseSharedStandardInput() {
    let uses =
      arguments.arguments.filter { $0 == "-" }.map { _ in "a document" }
      + values.variableFiles.filter { $0 == "-" }.map { _ in "`--vars-file`" }
      + values.secretFiles.filter { $0 == "-" }.map { _ in "`--secrets-file`" }
    guard uses.count > 1 else { return }
    report(
      Diagnostic(
        "unreadable-file", "standard input can be read only once, but is used for \(uses.joined(separator: " and for "))", at: nil))
  }

  /// Reports a secret of the command line that no document declares.
  ///
  /// The name of the secret is probably misspelt, and the intended secret might get a value from the environment instead. A secret from a
  /// file is allowed, since the file may be used with other documents.
  mutating func refuseUnknownSecrets(_ workflows: [Workflow]) {
    guard !givenSecrets.isEmpty else { return }
    let known = Set(workflows.withUsedAndCalled.flatMap { $0.secrets.map(\.name) })
    var seen: Set<String> = []
    for name in givenSecrets where !known.contains(name.value) && seen.insert(name.value).inserted {
      let whose = workflows.count == 1 ? "\(workflows[0].file.name) has no" : "no document has a"
      let diagnostic = Diagnostic("unknown-secret", "\(whose) secret `\(name.value)`", at: name.range)
      let names = known.sorted()
      let near = Suggestion.nearest(to: name.value, in: names)
      report(
        diagnostic.help(
          near.map { "did you mean `\($0)`?" }
            ?? (names.isEmpty ? "declare it under `secrets:`" : "available: \(names.prefix(8).map { "`\($0)`" }.joined(separator: ", "))")))
    }
  }

  /// Stores a value from the command line, such as `create.id=7`. The run uses this value for the extract `id` of the step `create`, which
  /// does not run. Returns false if the argument has another form.
  private mutating func keepGiven(_ argument: String, asText: Bool = false) -> Bool {
    guard let equals = argument.firstIndex(of: "="), argument[..<equals].contains(".") else { return false }
    let name = String(argument[..<equals])
    let text = String(argument[argument.index(after: equals)...])
    if asText {
      given[name] = .string(text)
    } else if let value = collecting({ ValuesFile.typedValue(text, name: "--var \(name)", into: &$0) }) {
      given[name] = value
    }
    return true
  }

  /// Returns the durations of an earlier run.
  ///
  /// - Throws: an error if the file is not a report, or is a report about other steps.
  func pastDurations(_ path: String, for plan: Plan) throws(CommandFailure) -> PastDurations {
    let durations: PastDurations?
    do throws(WorkflowFileError) {
      durations = try PastDurations(absolute(path), in: files.files, redactor: redactor)
    } catch {
      let near = files.files.nearest(to: path, in: workingDirectory, kind: .file)
      throw .usage("the file `\(path)` can't be read: \(error.message)\(near.map { "; did you mean `\($0)`?" } ?? "")")
    }
    guard let durations else { throw .noReport(path, Self.wholeReport(at: absolute(path))) }
    guard !durations.isStranger(to: plan) else { throw .usage("the report `\(path)` has none of these steps") }
    return durations
  }

  /// Returns the durations of the steps in the previous run, from the report at `path` that this run will replace. Returns nil if the
  /// report contains no durations for this plan.
  func pastDurations(ifAt path: String, for plan: Plan) -> PastDurations? {
    // A pipe that receives the report contains no earlier report, and reading it would block.
    guard Self.isRegularFile(absolute(path)), let past = try? PastDurations(absolute(path), in: files.files, redactor: redactor),
      !past.isStranger(to: plan)
    else { return nil }
    return past
  }

  static func isRegularFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  mutating func keep(_ secret: String, named name: String, from source: String) {
    secrets[name] = secret
    secretSources[name] = source
    redactor.register(secret)
  }

  /// Reads a file of values. The path `-` means standard input, whose format is detected by its content.
  ///
  /// - Parameters:
  ///   - option: The option that names the file.
  ///   - other: The option that takes `NAME=VALUE` instead of a file. The error message suggests this option if the path looks like
  ///     `NAME=VALUE`.
  private mutating func readValuesFile(
    _ path: String, for option: String, or other: String
  ) -> (name: String, format: ValuesFile.Format, bytes: [UInt8])? {
    if path.contains("="), isMissing(path) {
      // The text after the `=` may be a secret, so that no message shows it.
      report(
        Diagnostic("unreadable-file", "`\(option)` takes a file, and there is no file of the given name", at: nil)
          .help("to give a value itself, write `\(other) NAME=VALUE`"))
      return nil
    }
    let name = path == "-" ? StandardInput.name : path
    do throws(WorkflowFileError) {
      guard path == "-" else {
        let bytes = try files.files.read(absolute(path), limit: Workspace.valuesLimit)
        // The name of a pipe does not show the format of its content, and neither does that of a descriptor, which may be a file.
        let isFile = Self.isRegularFile(absolute(path))
        return (name, isFile ? ValuesFile.Format(name: path, content: bytes) : ValuesFile.Format(content: bytes), bytes)
      }
      let bytes = try readStandardInput(limit: Workspace.valuesLimit)
      return (name, ValuesFile.Format(content: bytes), bytes)
    } catch {
      let source = path == "-" ? name : "the file `\(path)`"
      let diagnostic = Diagnostic("unreadable-file", "\(source) can't be read: \(error.message)", at: nil)
      let near = path == "-" ? nil : files.files.nearest(to: path, in: workingDirectory, kind: .file)
      report(near.map { diagnostic.help("did you mean `\($0)`?") } ?? diagnostic)
      return nil
    }
  }
}

extension [Workflow] {
  /// The documents of the array, and all documents that they use or call, directly and indirectly.
  var withUsedAndCalled: [Workflow] {
    var found = withUsed
    var seen = Set(found.map { ObjectIdentifier($0) })
    var next = 0
    while next < found.count {
      let called = found[next].steps.compactMap { $0.call?.workflow }
      for workflow in called.withUsed where seen.insert(ObjectIdentifier(workflow)).inserted { found.append(workflow) }
      next += 1
    }
    return found
  }
}
