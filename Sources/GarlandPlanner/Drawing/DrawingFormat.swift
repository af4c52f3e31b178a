/// The formats in which a plan can be drawn.
public enum DrawingFormat: String, Sendable, Hashable, CaseIterable {
  /// A text tree, in which each step occurs once.
  case text
  /// A Mermaid flowchart, which GitHub and many editors can display.
  case mermaid
  /// A graph for Graphviz.
  case dot
  /// JSON for other programs; see ``Plan/json(_:)``.
  case json
  /// An SVG picture.
  case svg
}

/// Options for a drawing of a plan: what it shows in addition to the steps, and which secrets it masks.
public struct DrawingOptions: Sendable {
  /// The duration of each step in seconds, in the order of ``Plan/steps``; nil for steps without a known duration.
  var durations: [Double?]?
  /// The outcome of each step in an earlier run, in the order of ``Plan/steps``; an element is nil if the step's outcome is unknown. If the
  /// whole list is nil, the drawing shows no outcomes. Only the formats ``DrawingFormat/dot`` and ``DrawingFormat/svg`` show outcomes.
  public var outcomes: [StepOutcome?]?
  /// Whether the drawing marks the critical path: the heaviest chain of steps that wait for each other.
  var marksCriticalPath: Bool
  /// Whether an SVG drawing also shows redundant edges: edges between two steps that a longer path already connects.
  public var showsAllEdges = false

  /// Masks the secrets in a text. The drawing calls this function before it shortens a text: if a secret were cut first, its rest would not
  /// be recognised.
  var mask: @Sendable (String) -> String

  /// Creates options. By default neither durations nor the critical path are shown, and nothing is masked.
  public init(
    durations: [Double?]? = nil, marksCriticalPath: Bool = false, mask: @escaping @Sendable (String) -> String = { $0 }
  ) {
    self.durations = durations
    self.marksCriticalPath = marksCriticalPath
    self.mask = mask
  }
}

extension Plan {
  /// Returns the drawing of the plan. URLs are shown as templates, never with values. Descriptions and names are shown unchanged and may
  /// contain secrets, so the caller must mask the secrets in the result, as in all output.
  public func drawing(_ format: DrawingFormat, _ options: DrawingOptions = DrawingOptions()) -> String {
    switch format {
    case .text: text(options)
    case .mermaid: mermaid(options)
    case .dot: dot(options)
    case .json: json(options)
    case .svg: svg(options)
    }
  }

  /// Returns the steps of the critical path (the heaviest chain of steps) if ``DrawingOptions/marksCriticalPath`` is true; otherwise an
  /// empty set. The chain depends on the durations in the options, if there are any.
  func marked(_ options: DrawingOptions) -> NodeSet {
    var set = NodeSet(capacity: graph.nodeCount)
    guard options.marksCriticalPath else { return set }
    for step in criticalPath(weights: options.durations.map { $0.map { $0 ?? 0 } }) { set.insert(step) }
    return set
  }

  /// Whether an edge is part of the heaviest chain of steps (the critical path).
  ///
  /// - Parameters:
  ///   - edge: the number of the edge.
  ///   - marked: the steps of the heaviest chain.
  func isMarked(_ edge: Int, _ marked: NodeSet) -> Bool {
    marked.contains(Int(graph.sources[edge])) && marked.contains(Int(graph.targets[edge]))
  }

  /// Returns a short label for an edge, such as `id, etag` or `after`. The label names the reasons why the target step waits for the source
  /// step.
  func label(of edge: Int) -> String {
    var words: [String] = []
    for reason in reasons(of: edge) where !words.contains(reason.label) { words.append(reason.label) }
    return words.count > 3 ? words.prefix(3).joined(separator: ", ") + " …" : words.joined(separator: ", ")
  }
}
