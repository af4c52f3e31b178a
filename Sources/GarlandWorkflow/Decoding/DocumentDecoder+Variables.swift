import GarlandDiagnostics
import GarlandJSON
import GarlandYAML

extension DocumentDecoder {
  private struct Pending {
    let name: String
    var nameRange: SourceRange
    var origin: Variable.Origin
    var value: Source
    enum Source {
      case node(YAMLNode)
      case constant(JSONValue)
    }
  }

  /// Decodes `vars` of the project, of the document and of the profiles, in this order, and then the variables from the command line. A
  /// variable replaces an earlier variable with the same name.
  func decodeVariables(
    _ layers: [(node: YAMLNode, origin: Variable.Origin)]
  ) -> (variables: [Variable], order: [Int], declared: Set<String>) {
    var pending: [Pending] = []
    var positions: [String: Int] = [:]
    func put(_ variable: Pending) {
      if let position = positions[variable.name] {
        pending[position].value = variable.value
        pending[position].origin = variable.origin
        pending[position].nameRange = variable.nameRange
      } else {
        positions[variable.name] = pending.count
        pending.append(variable)
      }
    }
    for layer in layers { collect(layer.node, layer.origin).forEach { put($0) } }
    let declared = Set(pending.map(\.name))
    let inputs = names.inputs.map(\.name)
    for override in options.overrides where !inputs.contains(override.name.value) || positions[override.name.value] != nil {
      put(Pending(name: override.name.value, nameRange: override.name.range, origin: override.origin, value: .constant(override.value)))
    }
    for variable in pending { names.addVariable(variable.name, kinds: Self.kinds(variable.value)) }

    var variables: [Variable] = []
    var useOrder: [[InputReference]] = []
    for variable in pending {
      let value: ValueTemplate
      switch variable.value {
      case .constant(let constant): value = .constant(constant, variable.nameRange)
      case .node(let node): value = self.value(node, .variable)
      }
      names.variables.values[variables.count] = value
      var collector = ReferenceCollector()
      collector.add(value, "vars.\(variable.name)", isDefault: false)
      useOrder.append(collector.inputs)
      variables.append(
        Variable(name: variable.name, nameRange: variable.nameRange, value: value, origin: variable.origin, inputs: collector.inputs))
    }
    let order = order(variables, useOrder)
    return (variables, order, declared)
  }

  /// Returns the names of variables that the document neither declares nor uses, although a value is set for them, for example with
  /// `--var`. Must be called only after the whole document has been decoded.
  ///
  /// - Parameter declared: the names of the variables that the document declares.
  func unusedOverrides(besides declared: Set<String>) -> [Located<String>] {
    options.overrides.map(\.name).filter { name in
      !declared.contains(name.value) && names.variable(name.value).map { !names.variables.used[$0] } ?? false
    }
  }

  private func collect(_ node: YAMLNode, _ origin: Variable.Origin) -> [Pending] {
    guard let mapping = mapping(node, "a mapping of variable names to values") else { return [] }
    return mapping.entries.map { entry in
      checkName(ofVariable: entry)
      return Pending(name: entry.name, nameRange: entry.key.range, origin: origin, value: .node(entry.value))
    }
  }

  private func checkName(ofVariable entry: YAMLMapping.Entry) {
    guard !ReservedNames.isName(entry.name) else { return }
    report(
      .badName, "`\(Words.excerpt(entry.name))` is not a valid variable name", at: entry.key.range,
      help: "a name has the letters a to z, digits, `_` and `-`, and begins with a letter or `_`")
  }

  /// Reports invalid names of variables. The values of these variables are not decoded.
  func checkNames(of variables: YAMLNode) {
    for entry in mapping(variables, "a mapping of variable names to values")?.entries ?? [] { checkName(ofVariable: entry) }
  }

  private static func kinds(_ source: Pending.Source) -> ValueKinds {
    switch source {
    case .constant(let value): return ValueKinds(value.kind)
    case .node(let node): return ValueKinds(written: node)
    }
  }

  /// Returns the indexes of the variables in an order in which each variable comes after the variables that it uses. Reports a cycle.
  private func order(_ variables: [Variable], _ uses: [[InputReference]]) -> [Int] {
    enum Mark { case new, open, done }
    var marks = [Mark](repeating: .new, count: variables.count)
    var order: [Int] = []
    for start in variables.indices where marks[start] == .new {
      // This is a depth-first search without recursion, since a chain of variables may be long.
      var stack: [(variable: Int, next: Int)] = [(start, 0)]
      marks[start] = .open
      while let (variable, next) = stack.last {
        guard next < uses[variable].count else {
          marks[variable] = .done
          order.append(variable)
          stack.removeLast()
          continue
        }
        stack[stack.count - 1].next += 1
        guard case .variable(let used) = uses[variable][next].target else { continue }
        switch marks[used] {
        case .done: break
        case .new:
          marks[used] = .open
          stack.append((used, 0))
        case .open:
          let first = stack.firstIndex { $0.variable == used } ?? 0
          reportCycle(stack[first...].map { ($0.variable, uses[$0.variable][$0.next - 1].range) }, variables)
        }
      }
    }
    return order
  }

  private func reportCycle(_ cycle: [(variable: Int, use: SourceRange)], _ variables: [Variable]) {
    guard let first = cycle.first else { return }
    let path = cycle.map { variables[$0.variable].name } + [variables[first.variable].name]
    var diagnostic = Diagnostic(
      .variableCycle,
      cycle.count == 1 ? "the variable `\(path[0])` uses itself" : "variables use each other in a circle: \(path.joined(separator: " → "))",
      at: first.use)
    for (position, edge) in cycle.enumerated().dropFirst() {
      diagnostic = diagnostic.note("`\(path[position])` uses `\(path[position + 1])` here", at: edge.use)
    }
    diagnostics.report(diagnostic)
  }
}
