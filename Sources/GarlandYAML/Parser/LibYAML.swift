import CYAML

/// libyaml's event parser. The parsed bytes must keep their address as long as the parser exists.
struct LibYAML: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  let event: UnsafeMutablePointer<yaml_event_t>

  /// Creates a parser; nil if memory is insufficient.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    parser = .allocate(capacity: 1)
    event = .allocate(capacity: 1)
    event.initialize(to: yaml_event_t())
    parser.initialize(to: yaml_parser_t())
    guard yaml_parser_initialize(parser) == 1 else { return nil }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
  }

  deinit {
    yaml_event_delete(event)
    yaml_parser_delete(parser)
    event.deallocate()
    parser.deallocate()
  }

  /// Reads the next event into `event`; returns false on a syntax error.
  func next() -> Bool {
    yaml_event_delete(event)
    return yaml_parser_parse(parser, event) == 1
  }

  /// The current error, as libyaml describes it. Its positions (marks) count characters, not bytes.
  var problem: Problem {
    let state = parser.pointee
    return Problem(
      text: state.problem.map { String(cString: $0) } ?? (state.error == YAML_MEMORY_ERROR ? "out of memory" : ""),
      index: state.problem_mark.index,
      context: state.context.map { String(cString: $0) } ?? "",
      contextIndex: state.context_mark.index)
  }

  /// A syntax error as libyaml describes it.
  struct Problem {
    var text: String
    var index: Int
    var context: String
    var contextIndex: Int
  }
}

/// The version of libyaml in use.
package enum YAMLLibrary {
  package static var version: String { String(cString: yaml_get_version_string()) }
}
