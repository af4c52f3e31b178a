/// A cache of the positions of references, such as the key `headers.accept`. References at the same position share one object.
final class ReferencePlaces {
  private var known: [StepReference.Place: Shared<StepReference.Place>] = [:]

  func shared(_ place: StepReference.Place) -> Shared<StepReference.Place> {
    if let shared = known[place] { return shared }
    let shared = Shared(place)
    known[place] = shared
    return shared
  }
}

/// Collects the references in the expressions of templates: to steps, variables, secrets and other inputs.
struct ReferenceCollector {
  let places: ReferencePlaces
  var steps: [StepReference] = []
  var inputs: [InputReference] = []
  var ownNeeds: ResponseNeeds = []

  /// Whether an expression calls `now()`. The collector determines this only if it was created with `looksForClock`.
  private(set) var readsClock = false
  private let looksForClock: Bool
  /// Whether the collector ignores references to steps, and collects only references to inputs (such as variables and secrets).
  private let leavesSteps: Bool

  /// The references to steps. If ``steps`` has unused memory for more than two elements, this property returns a copy without the unused
  /// memory.
  var exactSteps: [StepReference] {
    if steps.isEmpty { return [] }
    return steps.capacity - steps.count <= 2 ? steps : steps.withUnsafeBufferPointer(Array.init)
  }

  init(_ places: ReferencePlaces = ReferencePlaces(), leavesSteps: Bool = false, looksForClock: Bool = false) {
    self.places = places
    self.looksForClock = looksForClock
    self.leavesSteps = leavesSteps
  }

  mutating func add(_ expression: Expression, _ key: @autoclosure () -> String, isDefault: Bool) {
    ownNeeds.formUnion(expression.ownNeeds)
    if looksForClock, !readsClock { readsClock = expression.readsClock }
    // Usually there are no other inputs. The arrays then share their storage.
    if inputs.isEmpty { inputs = expression.inputs } else { inputs += expression.inputs }
    guard !leavesSteps, expression.stepCount > 0 else { return }
    let key = key()
    let place = places.shared(StepReference.Place(key: isDefault ? "defaults." + key : key, isDefault: isDefault))
    if steps.isEmpty { steps.reserveCapacity(2) }
    for position in 0..<expression.stepCount { steps.append(StepReference(expression, position, at: place)) }
  }

  mutating func add(_ input: InputReference) { inputs.append(input) }

  /// Records that the step uses the given parts of its own response.
  mutating func add(_ needs: ResponseNeeds) { ownNeeds.formUnion(needs) }

  mutating func add(_ template: Template, _ key: @autoclosure () -> String, isDefault: Bool) {
    switch template.content {
    case .constant: break
    case .expression(let expression): add(expression, key(), isDefault: isDefault)
    case .text(let pieces):
      for piece in pieces {
        if case .expression(let expression) = piece { add(expression, key(), isDefault: isDefault) }
      }
    }
  }

  mutating func add(_ value: ValueTemplate, _ key: @autoclosure () -> String, isDefault: Bool) {
    switch value {
    case .constant: break
    case .scalar(let template): add(template, key(), isDefault: isDefault)
    case .list(let items, _): for item in items { add(item, key(), isDefault: isDefault) }
    case .object(let members, _):
      for member in members {
        add(member.key, key(), isDefault: isDefault)
        add(member.value, key(), isDefault: isDefault)
      }
    }
  }

  mutating func add(_ url: URLTemplate, _ key: @autoclosure () -> String, isDefault: Bool) {
    for piece in url.pieces {
      if case .expression(let expression, _) = piece { add(expression, key(), isDefault: isDefault) }
    }
  }

  mutating func add<Wrapped>(_ setting: Setting<Wrapped>?, _ key: @autoclosure () -> String, isDefault: Bool) {
    if case .template(let template)? = setting?.content { add(template, key(), isDefault: isDefault) }
  }

  mutating func add(_ file: FileTemplate?, _ key: @autoclosure () -> String, isDefault: Bool) {
    if let file { add(file.path, key(), isDefault: isDefault) }
  }

  mutating func add(_ pattern: PatternTemplate, _ key: @autoclosure () -> String, isDefault: Bool) {
    if case .template(let template) = pattern.content { add(template, key(), isDefault: isDefault) }
  }

  // MARK: Calls

  /// For a step that calls a document, adds references to the steps in `shared`. These are the steps of other documents that the called
  /// document uses. They run before the calling step, in the plan of the calling document.
  mutating func addCall(of path: Located<String>, shared: [(ordinal: Int, name: String)]) {
    for step in shared {
      steps.append(
        StepReference(
          ExpressionStepUse(target: step.ordinal, member: .response(.status), name: step.name, range: path.range, isOptional: false),
          at: places.shared(.init(key: "call", isDefault: false))))
    }
  }

  // MARK: Flow

  mutating func add(_ loop: Loop) {
    let key = loop.key.value
    switch loop.source {
    case .list(let value): add(value, key, isDefault: false)
    case .rows(let file, _): add(file, key, isDefault: false)
    case .matrix(let axes): for axis in axes { add(axis.values, "\(key).\(axis.name.value)", isDefault: false) }
    }
    add(loop.limit, "limit", isDefault: false)
    if let label = loop.label { add(label, "label", isDefault: false) }
  }

  /// Adds the references in `delay`, `retry`, `poll` and `paginate`.
  ///
  /// - Parameters:
  ///   - repetition: the settings of a step, merged with the defaults.
  ///   - defaults: the settings under `defaults:`. If a setting has the same source range in `repetition` and in `defaults`, the step
  ///     inherits the setting, and its references are marked as references of the defaults.
  mutating func add(_ repetition: Repetition, besides defaults: Repetition) {
    guard repetition !== Repetition.none else { return }
    let isDefault = repetition === defaults
    add(repetition.delay, "delay", isDefault: isDefault || repetition.delay?.range == defaults.delay?.range)
    if let retry = repetition.retry {
      let isDefault = isDefault || retry.range == defaults.retry?.range
      add(retry.limit, "retry", isDefault: isDefault)
      add(retry.delay, "retry", isDefault: isDefault)
      add(retry.factor, "retry", isDefault: isDefault)
      add(retry.jitter, "retry", isDefault: isDefault)
      add(retry.maxDelay, "retry", isDefault: isDefault)
      for status in retry.statuses ?? [] { add(status, "retry", isDefault: isDefault) }
    }
    if let poll = repetition.poll {
      let isDefault = isDefault || poll.range == defaults.poll?.range
      ownNeeds.insert(.facts)
      switch poll.until {
      case .condition(let condition): add(condition, "poll", isDefault: isDefault)
      case .expectations(let expectations): for expectation in expectations { add(expectation, key: "poll") }
      }
      add(poll.every, "poll", isDefault: isDefault)
      add(poll.within, "poll", isDefault: isDefault)
      add(poll.fail, "poll", isDefault: isDefault)
    }
    if let pagination = repetition.pagination {
      let isDefault = isDefault || pagination.range == defaults.pagination?.range
      ownNeeds.insert(.facts)
      switch pagination.next {
      case .expression(let template): add(template, "paginate", isDefault: isDefault)
      case .request(let page): add(page, isDefault: isDefault)
      case .link: ownNeeds.insert(.headers)
      }
      add(pagination.condition, "paginate", isDefault: isDefault)
      add(pagination.limit, "paginate", isDefault: isDefault)
    }
  }

  private mutating func add(_ page: PageTemplate, isDefault: Bool) {
    if let url = page.url { add(url, "paginate", isDefault: isDefault) }
    if let query = page.query { add(query.value, "paginate", isDefault: isDefault) }
    for header in page.headers { add(header, "paginate", isDefault: isDefault) }
    if let json = page.json { add(json, "paginate", isDefault: isDefault) }
    if let form = page.form { add(form.value, "paginate", isDefault: isDefault) }
  }

  mutating func add(_ header: HeaderTemplate, _ key: @autoclosure () -> String, isDefault: Bool) {
    if let name = header.nameTemplate { add(name, key(), isDefault: isDefault) }
    for value in header.values { add(value, key(), isDefault: isDefault) }
  }
}

extension PageTemplate {
  /// Whether at least one of the changes to the request for the next page contains an expression.
  var hasExpression: Bool {
    url.map { $0.constant == nil } ?? false || query.map { $0.value.constant == nil } ?? false
      || headers.contains { header in header.nameTemplate != nil || header.values.contains { $0.constant == nil } }
      || json.map { $0.constant == nil } ?? false || form.map { $0.value.constant == nil } ?? false
  }
}
