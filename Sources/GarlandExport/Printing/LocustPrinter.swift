import GarlandJSON

/// Prints a script as a Python file for Locust.
struct LocustPrinter {
  let program: String

  private struct Python: ScriptLanguage {
    let wrapsMappings = false

    func literal(_ value: JSONValue) -> String {
      switch value {
      case .null: "None"
      case .bool(let flag): flag ? "True" : "False"
      case .number, .string: value.jsonText()
      case .array(let items): "[" + items.map(literal).joined(separator: ", ") + "]"
      case .object(let members):
        "{" + members.map { "\(literal(.string($0.key))): \(literal($0.value))" }.joined(separator: ", ") + "}"
      }
    }

    func closureHead(_ parameters: [String]) -> String {
      parameters.isEmpty ? "lambda: " : "lambda \(parameters.joined(separator: ", ")): "
    }

    func computedName(_ name: String) -> String { name }
  }

  func text(_ script: Script) -> String {
    let layout = ScriptLayout(Python())
    func literal(_ text: String) -> String { Python().literal(.string(text)) }
    var text = "# Made by \(program) from \(script.sources.joined(separator: ", ")). `locust -f` with this file runs it.\n"
    text += ScriptRuntime.locust + "\n\n\n# The workflow\n\n"
    text += "REQUIRED = [\(script.required.map(literal).joined(separator: ", "))]\n\nVARIABLES = {\n"
    for variable in script.variables {
      let head = "  \(literal(variable.name)): lambda run: "
      text += head + layout.text(variable.value, indentation: 2, column: head.count) + ",\n"
    }
    text += "}\n"
    for step in script.steps {
      text += "\n\n# \(step.comment)\ndef \(step.function)(run, item, index):\n"
      for call in step.body { text += "  " + layout.text(call, indentation: 2, column: 2) + "\n" }
      if step.body.isEmpty { text += "  pass\n" }
    }
    text += "\n\ndef workflow(run):\n"
    for step in script.steps {
      let head = "  run.step(\(literal(step.key)), \(step.function), "
      text += head + layout.text(.members(step.options), indentation: 2, column: head.count + 1) + ")\n"
    }
    text += """


      class \(Self.className(script.name))(HttpUser):
        host = "http://localhost"  # Each step has a whole URL.
        wait_time = constant(0)

        def on_start(self):
          self.iterations = 0

        @task
        def workflow(self):
          self.iterations += 1
          workflow(Run(self, self.iterations))

      """
    return text
  }

  /// Returns a class name for the name of a workflow, such as `BookshopSmokeTest` for `Bookshop smoke test`.
  private static func className(_ name: String) -> String {
    let words = name.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let joined = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return joined.first?.isLetter == true ? joined + "User" : "Workflow\(joined)User"
  }
}
