import GarlandJSON

/// Prints a script as a JavaScript module for k6.
struct K6Printer {
  let program: String

  private struct JavaScript: ScriptLanguage {
    let wrapsMappings = true

    // JSON is valid JavaScript, except for names of mappings that have a special meaning in JavaScript.
    func literal(_ value: JSONValue) -> String {
      switch value {
      case .null, .bool, .number, .string: value.jsonText()
      case .array(let items): "[" + items.map(literal).joined(separator: ", ") + "]"
      case .object(let members):
        "{" + members.map { "\(name($0.key)): \(literal($0.value))" }.joined(separator: ", ") + "}"
      }
    }

    private func name(_ name: String) -> String {
      let text = literal(.string(name))
      return name == "__proto__" ? "[\(text)]" : text
    }

    func closureHead(_ parameters: [String]) -> String { "(\(parameters.joined(separator: ", "))) => " }
    func computedName(_ name: String) -> String { "[\(name)]" }
  }

  func text(_ script: Script) -> String {
    let layout = ScriptLayout(JavaScript())
    func literal(_ text: String) -> String { JavaScript().literal(.string(text)) }
    var text = "// Made by \(program) from \(script.sources.joined(separator: ", ")). `k6 run` with this file runs it.\n"
    text += ScriptRuntime.k6 + "\n\n// The workflow\n\n"
    text += "const REQUIRED = [\(script.required.map(literal).joined(separator: ", "))];\n\nconst TEXTS = {\n"
    for file in script.files where file.isText { text += "  \(literal(file.path)): open(\(literal(file.path))),\n" }
    text += "};\n\nconst FILES = {\n"
    for file in script.files where !file.isText { text += "  \(literal(file.path)): open(\(literal(file.path)), 'b'),\n" }
    text += "};\n\nconst VARIABLES = {\n"
    for variable in script.variables {
      let head = "  \(literal(variable.name)): "
      text += head + layout.text(.closure(["run"], variable.value), indentation: 2, column: head.count) + ",\n"
    }
    text += "};\n"
    for step in script.steps {
      text += "\n// \(step.comment)\nfunction \(step.function)(run, item, index) {\n"
      for call in step.body { text += "  " + layout.text(call, indentation: 2, column: 3) + ";\n" }
      text += "}\n"
    }
    text += "\nexport default function () {\n  const run = new Run();\n"
    for step in script.steps {
      let head = "  run.step(\(literal(step.key)), \(step.function), "
      text += head + layout.text(.members(step.options), indentation: 2, column: head.count + 2) + ");\n"
    }
    return text + "}\n"
  }
}
