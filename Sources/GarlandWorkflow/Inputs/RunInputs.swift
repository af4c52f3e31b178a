package import GarlandDiagnostics

/// The environment variables and secrets that the user passes to a run. A secret takes precedence over an environment variable with the
/// same name.
package struct RunInputs: Sendable {
  package var environment: [String: String]
  package var secrets: [String: String]

  package init(environment: [String: String], secrets: [String: String]) {
    self.environment = environment
    self.secrets = secrets
  }

  /// Returns the value of a secret: the given value, or else the value of the environment variable with the same name; nil if both are
  /// missing. An empty variable counts as missing, because CI systems set the variable of a missing secret to an empty text.
  package func secret(_ name: String) -> String? { secrets[name] ?? (environment[name]?.isEmpty == true ? nil : environment[name]) }

  /// The name of the environment variable that contains the URL of the sandbox server. The option `--sandbox` sets the variable.
  package static let sandboxVariable = "GARLAND_SANDBOX"

  /// Returns an error for each secret, environment variable and input that the selected steps need but that has no value. The errors are in
  /// the order in which the document uses these values.
  package func missing(for uses: InputUses, of workflow: Workflow) -> [Diagnostic] {
    var found: [(offset: Int, diagnostic: Diagnostic)] = []
    for (index, range) in uses.requiredSecrets {
      let name = workflow.secrets[index].name
      guard secret(name) == nil else { continue }
      let isEmpty = environment[name] != nil
      var diagnostic = Diagnostic(
        .missingSecret, "the secret `\(name)` is \(isEmpty ? "set to an empty text" : "not set")", at: range, label: "used here"
      )
      .help("set the environment variable \(name), or give it with `--secret` or `--secrets-file`")
      if isEmpty { diagnostic = diagnostic.note("many CI systems set the variable of a missing secret to an empty text") }
      if let file = workflow.secrets[index].file { diagnostic = diagnostic.note("its file \(file.value) can't be read", at: file.range) }
      found.append((range.offsets.lowerBound, diagnostic))
    }
    for (index, range) in uses.requiredEnvironment {
      let name = workflow.environmentVariables[index]
      guard environment[name] == nil else { continue }
      let diagnostic = Diagnostic("missing-environment", "the environment variable `\(name)` is not set", at: range, label: "used here")
        .help(
          name == Self.sandboxVariable
            ? "run with `--sandbox`, which starts the embedded server and sets it"
            : "set it, or write another value after `??`: `${env.\(name) ?? \"…\"}`")
      found.append((range.offsets.lowerBound, diagnostic))
    }
    for (index, range) in uses.requiredInputs {
      let input = workflow.inputs[index]
      guard input.given == nil, input.defaultValue == nil else { continue }
      let diagnostic = Diagnostic(.missingInput, "the input \(input.named) has no value", at: range, label: "used here")
        .help("give it with `--var \(input.name.value)=…`, or run the document from a step that calls it")
      found.append((range.offsets.lowerBound, diagnostic))
    }
    return found.sorted { $0.offset < $1.offset }.map(\.diagnostic) + uses.foreign.flatMap { missing(for: $0.uses, of: $0.workflow) }
  }
}
