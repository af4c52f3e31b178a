import GarlandDiagnostics
import GarlandYAML

/// The names that expressions of one document can use, such as steps, variables and secrets. The table also records which of the names are
/// used.
///
/// The table is filled before any expression is compiled. Only secrets and environment variables are added later: they get their index when
/// an expression first uses them.
final class NameTable {
  /// An entry of a step's `extract:`: its name, its source range and the possible kinds of its value.
  struct Extract {
    var name: String
    private let start: UInt32
    private let end: UInt32
    /// The possible kinds of the extract's value. If the step has a loop, these are the kinds of one item's value.
    let kinds: ValueKinds
    var isUsed = false

    init(name: String, range: SourceRange, kinds: ValueKinds = .any) {
      self.name = name
      self.kinds = kinds
      start = UInt32(clamping: range.offsets.lowerBound)
      end = UInt32(clamping: range.offsets.upperBound)
    }

    /// The byte offsets of the extract's name in its document.
    var offsets: Range<Int> { Int(start)..<Int(end) }
  }

  private(set) var stepIDs: [String] = []
  /// A hash index of the ids of the document's own steps. It returns the position of an id in ``stepIDs``.
  private(set) var stepIndex = KeyIndex(expecting: 0)
  private(set) var extracts = Extracts()
  var kinds = Kinds()
  /// The documents listed under `use:`, by the name that this document gives them; the value is nil for a document with errors.
  private(set) var uses: [String: (index: Int, workflow: Workflow)?] = [:]
  /// The steps of other documents that expressions refer to. Their ordinals follow those of the document's own steps.
  private(set) var foreign: [(document: Int, step: Int)] = []
  private var foreignOrdinals: [String: Int] = [:]
  private(set) var ownStepCount = 0
  /// For each step, the parts of its response that other steps use. The array index is the step's ordinal. The list also contains the steps
  /// of documents that this document uses.
  var neededByOthers: [ResponseNeeds] = []
  /// For each step, the paths in the JSON body of its response whose values other steps use. The keys are the ordinals of the steps. A step
  /// without such paths has no entry.
  var jsonNeededByOthers: [Int: JSONNeeds] = [:]

  /// The top-level keys, such as `vars`, that are probably misspelt in the document or its project. Each misspelt key was already reported
  /// as an error. Names below a misspelt key may be missing in this table, so an unknown name that may be one of these names is not
  /// reported.
  var refused = KeySet<RootKey>()
  /// Whether the key `vars` or `profiles` is probably misspelt, so that the variables below the misspelt key are missing in this table.
  var mayLackVariables: Bool { !refused.isDisjoint(with: [.vars, .profiles]) }

  var variables = Variables()
  private(set) var authentications = Authentications()
  private(set) var secrets = Secrets()
  private var environment = Numbered()
  /// The entries of `inputs:`, in document order.
  private(set) var inputs: [(name: String, kinds: ValueKinds)] = []
  /// The indexes of the entries of `resources:`, by name.
  var resources: [String: Int] = [:]

  /// A cache of the literal texts before and after expressions. Most steps of a document have equal texts around their expressions, and so
  /// share one stored copy. The length of a text determines its index in the array. Short texts are not cached, since they need no separate
  /// memory.
  private var literals = [String](repeating: "", count: 8)

  var environmentVariables: [String] { environment.all }

  func reserveSteps(_ count: Int) {
    stepIDs.reserveCapacity(count)
    stepIndex = KeyIndex(expecting: count)
    extracts.reserveSteps(count)
    neededByOthers.reserveCapacity(count)
  }

  /// Gives an extract its evaluated name, because its name in the document contains an expression.
  ///
  /// - Parameter place: the index of the extract among all extracts of the document.
  func renameExtract(at place: Int, to name: String) { extracts.rename(at: place, to: name) }

  /// Adds an extract for the step that the next call of `addStep` adds.
  func addExtract(_ extract: Extract) { extracts.add(extract) }

  func addStep(
    _ id: String, extracts names: [Extract] = [], hasLoop: Bool = false, isCall: Bool = false, _ owner: ResponseMember.Owner = .request
  ) {
    if isCall { kinds.calls.insert(stepIDs.count) }
    note(owner, of: stepIDs.count)
    var name = id
    stepIndex.add(name.withUTF8(KeyIndex.hash), at: stepIDs.count)
    ownStepCount += 1
    stepIDs.append(id)
    kinds.hasLoop.append(hasLoop)
    extracts.endStep(names)
    neededByOthers.append([])
  }

  private func note(_ owner: ResponseMember.Owner, of ordinal: Int) {
    switch owner {
    case .request: break
    case .listening: kinds.listens.insert(ordinal)
    case .stream(let format): kinds.streams[ordinal] = format
    }
  }

  /// Returns the kind of the step with the given ordinal (its index in the document). The kind determines the members of the step's
  /// response.
  func owner(of ordinal: Int) -> ResponseMember.Owner {
    if kinds.listens.contains(ordinal) { return .listening }
    return kinds.streams.isEmpty ? .request : kinds.streams[ordinal].map { .stream($0) } ?? .request
  }

  /// Returns the ordinal (the index in this document) of the step with the given id; nil if there is no such step.
  func ordinal(of id: String) -> Int? {
    var id = id
    return id.withUTF8 { ordinal(of: $0) }
  }

  /// Returns the ordinal (the index in this document) of the step with the given id; nil if there is no such step.
  ///
  /// - Parameter id: the id as UTF-8.
  func ordinal(of id: UnsafeBufferPointer<UInt8>) -> Int? {
    stepIndex.place(KeyIndex.hash(id)) { stepIDs[$0].hasSameBytes(as: id) }
  }

  /// Returns the extracts of a step. The first extract of a step has the index 0.
  func extracts(of ordinal: Int) -> [Extract] { Array(extracts.all[extracts.places(of: ordinal)]) }

  /// Returns the index of the named extract among the extracts of its step; nil if the step has no such extract.
  func extract(_ name: String, of ordinal: Int) -> Int? {
    let places = extracts.places(of: ordinal)
    return places.first { extracts.all[$0].name == name }.map { $0 - places.lowerBound }
  }

  /// Returns the ordinal (index in the document) of the only step that has an extract with the given name; nil if no step has such an
  /// extract, or if several steps have one.
  func onlyStep(extracting name: String) -> Int? {
    let steps = stepIDs.indices.filter { extract(name, of: $0) != nil }
    return steps.count == 1 ? steps[0] : nil
  }

  /// Returns the possible kinds of the value that an extract of a step yields.
  func kinds(ofExtract index: Int, of ordinal: Int) -> ValueKinds { extracts.all[extracts.places(of: ordinal).lowerBound + index].kinds }

  /// Returns the index of an extract of a step, and marks the extract as used; nil if there is no such extract.
  ///
  /// - Parameters:
  ///   - name: the name of the extract as UTF-8.
  ///   - ordinal: the ordinal of the step (the index by which this document refers to it).
  func useExtract(_ name: UnsafeBufferPointer<UInt8>, of ordinal: Int) -> Int? {
    let places = extracts.places(of: ordinal)
    for place in places where extracts.all[place].name.hasSameBytes(as: name) {
      extracts.use(at: place)
      neededByOthers[ordinal].insert(.extracts)
      return place - places.lowerBound
    }
    return nil
  }

  func useExtract(_ index: Int, of ordinal: Int) { extracts.use(at: extracts.places(of: ordinal).lowerBound + index) }

  func addUse(_ name: String, _ document: (index: Int, workflow: Workflow)?) { uses[name] = .some(document) }

  /// Returns the ordinal (index in ``stepIDs``) of a step of another document; nil if there is no such step. Call this method only after
  /// all steps of this document have been added.
  func foreignStep(_ id: String, of document: (index: Int, workflow: Workflow), named name: String) -> Int? {
    let key = "\(document.index).\(id)"
    if let known = foreignOrdinals[key] { return known }
    guard let step = document.workflow.step(id) else { return nil }
    let ordinal = stepIDs.count
    foreignOrdinals[key] = ordinal
    foreign.append((document.index, step.ordinal))
    if step.call != nil { kinds.calls.insert(ordinal) }
    note(step.action.owner, of: ordinal)
    stepIDs.append("\(name).\(id)")
    kinds.hasLoop.append(step.flow.loop != nil)
    extracts.endStep(step.extractions.map { Extract(name: $0.name.value, range: $0.name.range, kinds: $0.kinds) })
    neededByOthers.append([])
    return ordinal
  }

  func addInput(_ name: String, kinds: ValueKinds) {
    inputs.append((name, kinds))
  }

  func addVariable(_ name: String, kinds: ValueKinds) { variables.add(name, kinds: kinds) }

  func variable(_ name: String) -> Int? { variables.index(of: name) }

  func addAuthentication(_ name: String, hasToken: Bool) { authentications.add(name, hasToken: hasToken) }

  /// Returns the index of an `auth` entry of this document, or of a document listed under `use:`; nil if there is no such entry. An entry
  /// of another document gets its index at its first use.
  ///
  /// - Parameter name: the name of the entry; for an entry of another document, a name such as `shop.api`.
  func authentication(_ name: String) -> Int? {
    if let known = authentications.names.firstIndex(of: name) { return known }
    guard let (use, entry) = Self.parts(of: name), let workflow = uses[use]??.workflow,
      let index = workflow.authentications.firstIndex(where: { $0.origin == nil && $0.name.value == entry })
    else { return nil }
    authentications.add(name, index, of: workflow)
    return authentications.names.count - 1
  }

  /// Whether the named `auth` entry belongs to a document with errors. These errors have already been reported, so the name is not reported
  /// as unknown.
  ///
  /// - Parameter name: the name of the entry, such as `shop.api`.
  func isOfBrokenDocument(authentication name: String) -> Bool {
    guard let (use, _) = Self.parts(of: name), let document = uses[use] else { return false }
    return document == nil
  }

  /// The names of all `auth` entries that this document can use, including entries of other documents. Error messages suggest these names.
  var namableAuthentications: [String] {
    let used = uses.sorted { $0.key < $1.key }.flatMap { name, document in
      (document?.workflow.authentications ?? []).filter { $0.origin == nil }.map { "\(name).\($0.name.value)" }
    }
    return authentications.names + used.filter { !authentications.names.contains($0) }
  }

  private static func parts(of name: String) -> (use: String, entry: String)? {
    guard let dot = name.firstIndex(of: ".") else { return nil }
    return (String(name[..<dot]), String(name[name.index(after: dot)...]))
  }

  func declareSecret(_ name: String, at range: SourceRange, file: Located<String>? = nil) {
    secrets.declare(name, at: range, file: file)
  }

  /// Returns the index of a secret in the list of the document's secrets. A secret that the document does not declare is added to the list
  /// at its first use.
  func secret(_ name: String, usedAt range: SourceRange) -> Int {
    secrets.index(of: name) ?? secrets.add(name, usedAt: range)
  }

  /// Converts the text that precedes or follows an expression to a string. Equal texts share one string, to save memory.
  func literal(_ text: UnsafeBufferPointer<UInt8>) -> String {
    // A text of at most 15 bytes needs no separate object in memory.
    guard text.count > 15 else { return String(decoding: text, as: UTF8.self) }
    let slot = text.count & 7
    if literals[slot].hasSameBytes(as: text) { return literals[slot] }
    let literal = String(decoding: text, as: UTF8.self)
    literals[slot] = literal
    return literal
  }

  func hasSecret(_ name: String) -> Bool { secrets.index(of: name) != nil }

  /// Returns the index of an environment variable. The variable gets an index at its first use.
  func environmentVariable(_ name: String) -> Int { environment.index(of: name) ?? environment.add(name) }
}
