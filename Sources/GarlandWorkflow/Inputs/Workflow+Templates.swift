public import GarlandDiagnostics

extension Workflow {
  /// Compiles a text with `${…}` that is not part of the document, such as the value of `--print`.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - name: the name of the text in errors, such as `--print`.
  ///   - diagnostics: the list to which errors are added.
  /// - Returns: the template, or nil if the text is invalid. The template can use only environment variables and secrets that the document
  ///   itself uses.
  public func template(_ text: String, name: String, into diagnostics: inout DiagnosticList) -> Template? {
    let names = NameTable()
    for step in steps {
      names.addStep(
        step.id, extracts: step.extractions.map { .init(name: $0.name.value, range: $0.name.range, kinds: $0.kinds) },
        hasLoop: step.flow.loop != nil,
        isCall: step.call != nil, step.action.owner)
    }
    for (index, used) in uses.enumerated() { names.addUse(used.name.value, (index, used.workflow)) }
    for foreign in foreignSteps {
      let used = uses[foreign.document]
      _ = names.foreignStep(used.workflow.steps[foreign.step].id, of: (foreign.document, used.workflow), named: used.name.value)
    }
    for input in inputs { names.addInput(input.name.value, kinds: .any) }
    for variable in variables { names.addVariable(variable.name, kinds: .any) }
    for secret in secrets { names.declareSecret(secret.name, at: secret.range) }
    for definition in authentications { names.addAuthentication(definition.name.value, hasToken: definition.oauth2 != nil) }
    for variable in environmentVariables { _ = names.environmentVariable(variable) }
    let document = self.file.name
    let file = SourceFile(name: name, bytes: Array(text.utf8))
    let range = SourceRange(file, 0..<file.bytes.count)
    var found = DiagnosticList()
    let parts = TemplateCompiler(names: names).parts(of: text, ScalarLocator(verbatim: range), .outside, into: &found)
    if names.secrets.declarations.count > secrets.count || names.environmentVariables.count > environmentVariables.count {
      found.report(
        Diagnostic(
          .undefinedName, "`\(name)` can't use this secret or environment variable, because no step or value in `\(document)` uses it",
          at: range)
      )
    }
    if names.foreign.count > foreignSteps.count {
      found.report(
        Diagnostic(
          .undefinedName, "`\(name)` can't use this step of another document, because no step or value in `\(document)` uses it",
          at: range))
    }
    if !names.authentications.foreign.isEmpty {
      found.report(
        Diagnostic(
          .undefinedName,
          "`\(name)` can't use this `auth` entry of another document, because no step or value in `\(document)` uses it",
          at: range))
    }
    diagnostics.append(found)
    return found.hasErrors ? nil : TemplateCompiler.template(parts, at: range)
  }
}
