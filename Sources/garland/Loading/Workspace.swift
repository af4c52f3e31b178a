import GarlandDiagnostics
import GarlandPlanner
import GarlandWorkflow
import Glibc

/// What a command line names, read, decoded and planned; and the one way in which the command says what is wrong.
struct Workspace {
  let redactor = Redactor()
  let environment: [String: String]
  let workingDirectory: String
  let files: FileAccess
  let arguments: PathArguments
  let values: ValueOptions
  let output: OutputOptions
  private(set) var diagnostics = DiagnosticList()
  private(set) var secrets: [String: String] = [:]

  init(_ arguments: PathArguments, _ values: ValueOptions, _ output: OutputOptions, environment: [String: String]) {
    self.environment = environment
    self.arguments = arguments
    self.values = values
    self.output = output
    workingDirectory = Workspace.currentDirectory()
    let system = SystemFiles()
    let root = FileAccess.projectRoot(of: workingDirectory, in: system)
    let directory = workingDirectory
    files = FileAccess(system, roots: [root] + arguments.allowedPaths.map { Workspace.absolute($0, in: directory) })
    FileDescriptorSink.ignoreBrokenPipes()
  }

  private static func currentDirectory() -> String {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return String(cString: path)
  }

  private static func absolute(_ path: String, in directory: String) -> String { path.hasPrefix("/") ? path : directory + "/" + path }

  /// Reads, decodes and plans; nil when there are errors, which `showDiagnostics` shows.
  mutating func plan(_ selection: SelectionOptions? = nil) -> Plan? {
    let overrides = readValues()
    var paths = arguments.arguments.filter { $0 == "-" || looksLikePath($0) }
    let steps = arguments.steps + arguments.arguments.filter { $0 != "-" && !looksLikePath($0) }
    if paths.isEmpty { paths = ["garland.yaml"] }
    var workflows: [Workflow] = []
    var documents: [String] = []
    for path in paths { documents += expand(path) }
    for path in documents {
      let options = WorkflowDecoder.Options(files: files, profile: values.profile, overrides: overrides)
      if let workflow = decode(path, options) { workflows.append(workflow) }
    }
    guard !diagnostics.hasErrors else { return nil }
    let planned = Planner(workingDirectory: workingDirectory, files: files.files).plan(workflows)
    diagnostics.append(planned.diagnostics)
    guard let complete = planned.plan else { return nil }
    diagnostics.append(complete.check())
    guard !diagnostics.hasErrors else { return nil }
    do throws(SelectionError) {
      return try complete.select(
        Selection(steps: steps, tags: selection?.tags ?? [], only: selection?.only ?? [], skip: selection?.skip ?? []))
    } catch {
      diagnostics.append(error.diagnostics)
      return nil
    }
  }

  /// The steps that were named by hand.
  var namedSteps: [String] { arguments.steps + arguments.arguments.filter { $0 != "-" && !looksLikePath($0) } }

  mutating func report(_ list: DiagnosticList) { diagnostics.append(list) }

  private func looksLikePath(_ argument: String) -> Bool {
    if argument.hasSuffix(".yaml") || argument.hasSuffix(".yml") || argument.contains("/") { return !argument.contains("#") }
    return files.files.kind(of: Workspace.absolute(argument, in: workingDirectory)) != .missing
  }

  private mutating func expand(_ path: String) -> [String] {
    guard path != "-" else { return [path] }
    let full = Workspace.absolute(path, in: workingDirectory)
    switch files.files.kind(of: full) {
    case .folder:
      let found = Workspace.documents(below: full, shown: path.hasSuffix("/") ? String(path.dropLast()) : path)
      if found.isEmpty {
        diagnostics.report(Diagnostic("no-workflow", "\(path) holds no workflow: no file in it ends with .yaml or .yml", at: nil))
      }
      return found
    case .missing:
      diagnostics.report(
        Diagnostic("no-such-file", "there is no file \(path)", at: nil).help("`garland init \(path)` writes one to start from"))
      return []
    case .file, .unreadable: return [path]
    }
  }

  private static func documents(below folder: String, shown: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    let system = SystemFiles()
    return names.sorted().flatMap { name -> [String] in
      if system.kind(of: folder + "/" + name) == .folder { return documents(below: folder + "/" + name, shown: shown + "/" + name) }
      return name.hasSuffix(".yaml") || name.hasSuffix(".yml") ? [shown + "/" + name] : []
    }
  }

  private mutating func decode(_ path: String, _ options: WorkflowDecoder.Options) -> Workflow? {
    let full = path == "-" ? "/dev/stdin" : Workspace.absolute(path, in: workingDirectory)
    let directory = path == "-" ? workingDirectory : String(full[..<(full.lastIndex(of: "/") ?? full.startIndex)])
    do throws(WorkflowFileError) {
      let bytes = try files.files.read(full, limit: 256 << 20)
      let (workflow, found) = WorkflowDecoder.decode(
        name: path == "-" ? "standard input" : path, bytes: bytes, directory: directory.isEmpty ? "/" : directory, options: options)
      diagnostics.append(found)
      return workflow
    } catch {
      diagnostics.report(Diagnostic("unreadable-file", "\(path) can't be read: \(error.message)", at: nil))
      return nil
    }
  }

  private mutating func readValues() -> [WorkflowDecoder.Override] {
    var overrides: [WorkflowDecoder.Override] = []
    for path in values.variableFiles {
      if let bytes = read(path) { overrides += ValuesFile.variables(name: path, bytes: bytes, into: &diagnostics) }
    }
    for argument in values.variables {
      if let override = ValuesFile.variable(argument, into: &diagnostics) { overrides.append(override) }
    }
    for path in values.secretFiles {
      guard let bytes = read(path) else { continue }
      for secret in ValuesFile.secrets(name: path, bytes: bytes, into: &diagnostics) { keep(secret.value, named: secret.name.value) }
    }
    for argument in values.secrets {
      if let secret = ValuesFile.secret(argument, into: &diagnostics) { keep(secret.value, named: secret.name.value) }
    }
    return overrides
  }

  private mutating func keep(_ secret: String, named name: String) {
    secrets[name] = secret
    _ = redactor.register(secret)
  }

  private mutating func read(_ path: String) -> [UInt8]? {
    do throws(WorkflowFileError) {
      return try files.files.read(Workspace.absolute(path, in: workingDirectory), limit: 16 << 20)
    } catch {
      diagnostics.report(Diagnostic("unreadable-file", "\(path) can't be read: \(error.message)", at: nil))
      return nil
    }
  }

  // MARK: Saying what is wrong

  /// Whether colours may go to a descriptor, and how wide it is.
  func facts(of descriptor: Int32) -> TerminalFacts {
    var facts = TerminalFacts.detect(fileDescriptor: descriptor)
    switch output.color {
    case .always: facts.colors = .ansi16
    case .never: facts.colors = .plain
    case .auto: if !(environment["NO_COLOR"] ?? "").isEmpty { facts.colors = .plain }
    }
    return facts
  }

  func stream(_ descriptor: Int32) -> RedactedOutput {
    RedactedOutput(FileDescriptorSink(fileDescriptor: descriptor), redactor: redactor)
  }

  /// Shows what was found on standard error.
  func showDiagnostics() throws(CommandFailure) {
    guard !diagnostics.isEmpty else { return }
    let facts = facts(of: STDERR_FILENO)
    do throws(OutputError) {
      try stream(STDERR_FILENO)
        .write(DiagnosticRenderer(width: facts.width ?? 100).render(diagnostics), colors: facts.colors, isComplete: true)
    } catch {
      throw .local("cannot write: \(error)")
    }
  }

  /// Writes a text to standard output, masked.
  func show(_ text: String) throws(CommandFailure) {
    do throws(OutputError) {
      try stream(STDOUT_FILENO).write(text, isComplete: true)
    } catch {
      throw .local("cannot write: \(error)")
    }
  }
}
