import GarlandJSON

/// A value or a call in a script, independent of the script's programming language.
indirect enum ScriptNode {
  case literal(JSONValue)
  case list([ScriptNode])
  /// A mapping from names to values. The script may also compute the names.
  case object([(name: ScriptNode, value: ScriptNode)])
  /// A call of a helper function of the script, with its arguments.
  case call(String, [ScriptNode])
  /// A parameter of the enclosing closure or function.
  case parameter(String)
  /// A function without a name: its parameters and its body.
  case closure([String], ScriptNode)

  static func text(_ text: String) -> ScriptNode { .literal(.string(text)) }
  static func number(_ number: Int) -> ScriptNode { .literal(JSONValue(number)) }
  static func flag(_ flag: Bool) -> ScriptNode { .literal(.bool(flag)) }
  /// Returns a closure that computes a value only when the value is needed.
  static func later(_ node: ScriptNode) -> ScriptNode { .closure([], node) }
  /// Returns a mapping whose names are fixed texts, not expressions.
  static func members(_ members: [(String, ScriptNode)]) -> ScriptNode { .object(members.map { (.text($0.0), $0.1) }) }
}

/// A workflow in the form of a script, independent of the programming language.
struct Script {
  /// A step in a script: a function, and the conditions for calling it.
  struct Step {
    /// The step's name in the results of the load testing tool.
    var key: String
    /// The name of the function that carries out the step.
    var function: String
    /// The file and the line of the step, followed by the step's description.
    var comment: String
    var options: [(String, ScriptNode)]
    var body: [ScriptNode]
  }

  /// The name of the workflow.
  var name: String
  /// The file names of the documents from which the script was made.
  var sources: [String]
  /// The environment variables without which the script does not start.
  var required: [String] = []
  var variables: [(name: String, value: ScriptNode)] = []
  /// The steps in the order in which they run.
  var steps: [Step] = []
  /// The files that the script reads: the path of each, relative to the script, and whether the
  /// file is read as text.
  var files: [(path: String, isText: Bool)] = []
}
