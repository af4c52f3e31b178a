import GarlandDiagnostics
import GarlandYAML

/// The names that expressions of a document can use, and which of them are used.
///
/// The table is filled before anything is compiled. Only secrets and environment variables are added later: they get their index when an
/// expression first names them.
final class NameTable {
  /// An entry of a step's `extract:`: its name, its place and the possible kinds of its value.
  struct Extract {
    fileprivate(set) var name: String
    private let start: UInt32
    private let end: UInt32
    /// The possible kinds of the extract's value. In a step with a loop: of the value for one item.
    let kinds: ValueKinds
    fileprivate(set) var isUsed = false

    init(name: String, range: SourceRange, kinds: ValueKinds = .any) {
      self.name = name
      self.kinds = kinds
      start = UInt32(clamping: range.offsets.lowerBound)
      end = UInt32(clamping: range.offsets.upperBound)
    }

    /// The offsets of the extract's name in its document.
    var offsets: Range<Int> { Int(start)..<Int(end) }
  }

  private(set) var stepIDs: [String] = []
  /// A hash index from the ids of the document's own steps to their positions in ``stepIDs``.
  private(set) var stepIndex = KeyIndex(expecting: 0)
  /// The extracts of all steps, one after the other.
  private(set) var allExtracts: [Extract] = []
  /// The end of each step's extracts in ``allExtracts``, by the step's ordinal.
  private var extractEnds: [Int32] = []
  /// Whether a step has a loop, by ordinal.
  private(set) var hasLoop: [Bool] = []
  /// The documents of `use:` by name; the value is nil for a document with errors.
  private(set) var uses: [String: (index: Int, workflow: Workflow)?] = [:]
  /// The steps of other documents that expressions have named. Their ordinals follow those of the document's own steps.
  private(set) var foreign: [(document: Int, step: Int)] = []
  private var foreignOrdinals: [String: Int] = [:]
  private(set) var ownStepCount = 0
  /// The parts of each step's response that other steps use, by ordinal.
  var neededByOthers: [ResponseNeeds] = []
  /// The paths in each step's JSON that later steps use, by ordinal. A step without such paths has no entry.
  var jsonNeededByOthers: [Int: JSONNeeds] = [:]

  private(set) var variableNames: [String] = []
  private var variableIndexes: [String: Int] = [:]
  var variableKinds: [ValueKinds] = []
  /// The values of the variables as templates, by index, as far as they have been decoded.
  var variableValues: [Int: ValueTemplate] = [:]
  var usedVariables: [Bool] = []

  private(set) var authenticationNames: [String] = []
  /// The `auth` entries of other documents that this document names. Their indexes follow those of the document's own entries.
  private(set) var foreignAuthentications: [AuthDefinition] = []
  /// Whether each `auth` entry is `oauth2`, so that expressions can use its token.
  private(set) var hasToken: [Bool] = []

  private(set) var secrets: [SecretDeclaration] = []
  private var secretIndexes: [String: Int] = [:]
  var usedSecrets: [Bool] = []

  /// The names of `inputs:`, in document order.
  private(set) var inputNames: [String] = []
  private(set) var inputKinds: [ValueKinds] = []
  /// The steps that are calls: they have outputs and no response.
  private(set) var calls: Set<Int> = []
  /// The calls whose document has errors of its own, so that its outputs are unknown.
  var unreadableCalls: Set<Int> = []
  /// The steps that wait for an incoming request; their URL exists before the request arrives.
  private(set) var listens: Set<Int> = []
  /// The steps that read a stream, with the format of the stream.
  private var streams: [Int: StreamFormat] = [:]
  /// The names of `resources:` with their indexes.
  var resources: [String: Int] = [:]

  /// The most recent long texts before and after expressions, by length. Most steps of a document have the same texts there, which are then
  /// stored only once.
  private var literals = [String](repeating: "", count: 8)

  private(set) var environmentVariables: [String] = []
  private var environmentIndexes: [String: Int] = [:]

  func reserveSteps(_ count: Int) {
    stepIDs.reserveCapacity(count)
    stepIndex = KeyIndex(expecting: count)
    extractEnds.reserveCapacity(count)
    neededByOthers.reserveCapacity(count)
  }

  /// Renames the extract at an index of all extracts to its computed name.
  func renameExtract(at place: Int, to name: String) { allExtracts[place].name = name }

  /// Adds an extract for the step that the next call of `addStep` adds.
  func addExtract(_ extract: Extract) { allExtracts.append(extract) }

  func addStep(
    _ id: String, extracts names: [Extract] = [], hasLoop: Bool = false, isCall: Bool = false, _ owner: ResponseMember.Owner = .request
  ) {
    if isCall { calls.insert(stepIDs.count) }
    note(owner, of: stepIDs.count)
    var name = id
    stepIndex.add(name.withUTF8(KeyIndex.hash), at: stepIDs.count)
    ownStepCount += 1
    stepIDs.append(id)
    self.hasLoop.append(hasLoop)
    add(names)
    neededByOthers.append([])
  }

  private func note(_ owner: ResponseMember.Owner, of ordinal: Int) {
    switch owner {
    case .request: break
    case .listening: listens.insert(ordinal)
    case .stream(let format): streams[ordinal] = format
    }
  }

  /// Returns the kind of the step with an ordinal.
  func owner(of ordinal: Int) -> ResponseMember.Owner {
    if listens.contains(ordinal) { return .listening }
    return streams.isEmpty ? .request : streams[ordinal].map { .stream($0) } ?? .request
  }

  private func add(_ extracts: [Extract]) {
    if !extracts.isEmpty { allExtracts += extracts }
    extractEnds.append(Int32(clamping: allExtracts.count))
  }

  /// Returns the ordinal of the step of this document that has the id; nil if there is none.
  func ordinal(of id: String) -> Int? {
    var id = id
    return id.withUTF8 { ordinal(of: $0) }
  }

  /// Returns the ordinal of a step of this document by its id, given as UTF-8.
  func ordinal(of id: UnsafeBufferPointer<UInt8>) -> Int? {
    stepIndex.place(KeyIndex.hash(id)) { stepIDs[$0].hasSameBytes(as: id) }
  }

  /// Returns the extracts of a step. The first extract of a step has the index 0.
  func extracts(of ordinal: Int) -> [Extract] { Array(allExtracts[places(of: ordinal)]) }

  /// Returns the index of an extract among the extracts of its step; nil if the step has no such extract.
  func extract(_ name: String, of ordinal: Int) -> Int? {
    let places = places(of: ordinal)
    return places.first { allExtracts[$0].name == name }.map { $0 - places.lowerBound }
  }

  /// Returns the possible kinds of the value of a step's extract.
  /// Returns the only step of the document that has an extract of this name; nil if none or several have one.
  func onlyStep(extracting name: String) -> Int? {
    let steps = stepIDs.indices.filter { extract(name, of: $0) != nil }
    return steps.count == 1 ? steps[0] : nil
  }
  func kinds(ofExtract index: Int, of ordinal: Int) -> ValueKinds { allExtracts[places(of: ordinal).lowerBound + index].kinds }

  /// Returns the index of an extract by its name, given as UTF-8, and marks the extract as used.
  func useExtract(_ name: UnsafeBufferPointer<UInt8>, of ordinal: Int) -> Int? {
    let places = places(of: ordinal)
    for place in places where allExtracts[place].name.hasSameBytes(as: name) {
      allExtracts[place].isUsed = true
      neededByOthers[ordinal].insert(.extracts)
      return place - places.lowerBound
    }
    return nil
  }

  func useExtract(_ index: Int, of ordinal: Int) { allExtracts[places(of: ordinal).lowerBound + index].isUsed = true }

  /// Returns the positions of a step's extracts in ``allExtracts``.
  func places(of ordinal: Int) -> Range<Int> {
    (ordinal == 0 ? 0 : Int(extractEnds[ordinal - 1]))..<Int(extractEnds[ordinal])
  }

  func addUse(_ name: String, _ document: (index: Int, workflow: Workflow)?) { uses[name] = .some(document) }

  /// Returns the ordinal of a step of another document; nil if there is no such step. Must be called after all own steps have been added.
  func foreignStep(_ id: String, of document: (index: Int, workflow: Workflow), named name: String) -> Int? {
    let key = "\(document.index).\(id)"
    if let known = foreignOrdinals[key] { return known }
    guard let step = document.workflow.step(id) else { return nil }
    let ordinal = stepIDs.count
    foreignOrdinals[key] = ordinal
    foreign.append((document.index, step.ordinal))
    if step.call != nil { calls.insert(ordinal) }
    note(ResponseMember.Owner(of: step), of: ordinal)
    stepIDs.append("\(name).\(id)")
    hasLoop.append(step.flow.loop != nil)
    add(step.extractions.map { Extract(name: $0.name.value, range: $0.name.range, kinds: $0.kinds) })
    neededByOthers.append([])
    return ordinal
  }

  func addInput(_ name: String, kinds: ValueKinds) {
    inputNames.append(name)
    inputKinds.append(kinds)
  }

  func addVariable(_ name: String, kinds: ValueKinds) {
    variableIndexes[name] = variableNames.count
    variableNames.append(name)
    variableKinds.append(kinds)
    usedVariables.append(false)
  }

  func variable(_ name: String) -> Int? { variableIndexes[name] }

  func addAuthentication(_ name: String, hasToken isToken: Bool) {
    authenticationNames.append(name)
    hasToken.append(isToken)
  }

  /// Returns the index of an entry of `auth`: of an entry of this document, or, as `shop.api`, of an entry of a document that `use:` lists.
  /// The latter gets an index at its first use.
  func authentication(_ name: String) -> Int? {
    if let known = authenticationNames.firstIndex(of: name) { return known }
    guard let (use, entry) = Self.parts(of: name), let workflow = uses[use]??.workflow,
      let index = workflow.authentications.firstIndex(where: { $0.origin == nil && $0.name.value == entry })
    else { return nil }
    foreignAuthentications.append(AuthDefinition(named: name, from: .init(workflow: workflow, index: index)))
    addAuthentication(name, hasToken: workflow.authentications[index].oauth2 != nil)
    return authenticationNames.count - 1
  }

  /// Whether the name of an `auth` entry belongs to a document that could not be read. That error has already been reported.
  func isOfBrokenDocument(authentication name: String) -> Bool {
    guard let (use, _) = Self.parts(of: name), let document = uses[use] else { return false }
    return document == nil
  }

  /// The names of all `auth` entries, for suggestions.
  var namableAuthentications: [String] {
    let used = uses.sorted { $0.key < $1.key }.flatMap { name, document in
      (document?.workflow.authentications ?? []).filter { $0.origin == nil }.map { "\(name).\($0.name.value)" }
    }
    return authenticationNames + used.filter { !authenticationNames.contains($0) }
  }

  private static func parts(of name: String) -> (use: String, entry: String)? {
    guard let dot = name.firstIndex(of: ".") else { return nil }
    return (String(name[..<dot]), String(name[name.index(after: dot)...]))
  }

  func declareSecret(_ name: String, at range: SourceRange, file: Located<String>? = nil) {
    if let known = secretIndexes[name] {
      if let file { secrets[known] = SecretDeclaration(name: name, range: range, isDeclared: true, file: file) }
      return
    }
    secretIndexes[name] = secrets.count
    secrets.append(SecretDeclaration(name: name, range: range, isDeclared: true, file: file))
    usedSecrets.append(false)
  }

  /// Returns the index of a secret, and adds the secret if it is not declared.
  func secret(_ name: String, usedAt range: SourceRange) -> Int {
    let index: Int
    if let known = secretIndexes[name] {
      index = known
    } else {
      index = secrets.count
      secretIndexes[name] = index
      secrets.append(SecretDeclaration(name: name, range: range, isDeclared: false))
      usedSecrets.append(true)
    }
    usedSecrets[index] = true
    return index
  }

  /// Returns the text before or after an expression, stored only once for all templates that share it.
  func literal(_ text: UnsafeBufferPointer<UInt8>) -> String {
    // A text of at most 15 bytes needs no separate object in memory.
    guard text.count > 15 else { return String(decoding: text, as: UTF8.self) }
    let slot = text.count & 7
    if literals[slot].hasSameBytes(as: text) { return literals[slot] }
    let literal = String(decoding: text, as: UTF8.self)
    literals[slot] = literal
    return literal
  }

  /// Returns the index of a known secret and marks it as used; nil if the secret is unknown.
  func useSecret(_ name: String) -> Int? {
    guard let index = secretIndexes[name] else { return nil }
    usedSecrets[index] = true
    return index
  }

  func hasSecret(_ name: String) -> Bool { secretIndexes[name] != nil }

  func environmentVariable(_ name: String) -> Int {
    if let known = environmentIndexes[name] { return known }
    environmentIndexes[name] = environmentVariables.count
    environmentVariables.append(name)
    return environmentVariables.count - 1
  }
}

extension ResponseMember.Owner {
  init(of step: Step) {
    self =
      switch step.action {
      case .listen: .listening
      case .websocket: .stream(.messages)
      case .request(let request), .submit(_, let request): request.stream.map { .stream($0.format) } ?? .request
      case .reach, .call: .request
      }
  }
}
