import GarlandJSON

/// A value or a call in a script, as both languages have it.
indirect enum ScriptNode {
  case literal(JSONValue)
  case list([ScriptNode])
  /// A mapping whose names may be computed.
  case object([(name: ScriptNode, value: ScriptNode)])
  /// A method of the run, with its arguments.
  case call(String, [ScriptNode])
  /// A parameter of the closure or the function around it.
  case parameter(String)
  /// A function without a name.
  case closure([String], ScriptNode)

  static func text(_ text: String) -> ScriptNode { .literal(.string(text)) }
  static func number(_ number: Int) -> ScriptNode { .literal(JSONValue(number)) }
  static func flag(_ flag: Bool) -> ScriptNode { .literal(.bool(flag)) }
  /// A value that is computed only when it is asked for.
  static func later(_ node: ScriptNode) -> ScriptNode { .closure([], node) }
  /// A mapping with these names.
  static func members(_ members: [(String, ScriptNode)]) -> ScriptNode { .object(members.map { (.text($0.0), $0.1) }) }
}

/// A workflow as a script has it.
struct Script {
  /// A step: a function, and its conditions.
  struct Step {
    /// Its name in the results of the engine.
    var key: String
    /// The name of its function.
    var function: String
    /// The place of its definition, and its description.
    var comment: String
    var options: [(String, ScriptNode)]
    var body: [ScriptNode]
  }

  /// The name of the workflow.
  var name: String
  /// The documents.
  var sources: [String]
  var variables: [(name: String, value: ScriptNode)] = []
  /// The steps in the order in which they run.
  var steps: [Step] = []
  /// The files that the script reads, relative to it; those that are text.
  var files: [(path: String, isText: Bool)] = []
}
