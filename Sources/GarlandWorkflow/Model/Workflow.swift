public import GarlandDiagnostics
import GarlandYAML

/// A workflow document, decoded and checked, with everything that a run needs.
///
/// Immutable and shared. Steps, variables and secrets are referred to by their index, so that no
/// name is looked up at run time.
public final class Workflow: Sendable {
  /// The order of the steps of a document beside their references.
  public enum Order: String, Sendable, Hashable, CaseIterable {
    /// No further order: only the dependencies.
    case dependencies
    /// Each step also waits for the end of the one above it.
    case file
  }

  /// The text it was decoded from.
  public let file: SourceFile
  /// The absolute path of the folder that relative paths in it start from.
  public let directory: String
  /// `name:`.
  public let name: Located<String>?
  /// `description:`.
  public let description: String?
  /// `order:`. Default: dependencies.
  public let order: Order
  /// `reachability:`.
  public let reachability: ReachabilitySettings
  /// `vars:`, with the values of profile, vars files and `--var` over them, in file order;
  /// variables that the document does not declare come last.
  public let variables: [Variable]
  /// Indexes of ``variables`` in an order in which each comes after those it uses.
  public let variableOrder: [Int]
  /// `auth:`, in file order.
  public let authentications: [AuthDefinition]
  /// Declared secrets, and, after them, those that are only used.
  public let secrets: [SecretDeclaration]
  /// The environment variables that expressions use.
  public let environmentVariables: [String]
  /// `resources:`, in file order.
  public let resources: [ResourceDeclaration]
  /// `inputs:`, in file order.
  public let inputs: [InputDeclaration]
  /// `outputs:`, in file order.
  public let outputs: [OutputDeclaration]
  /// `use:`, in file order, followed by documents whose steps a called document shares with this
  /// one.
  public let uses: [UsedDocument]
  /// Steps of other documents that this one names: what expressions call the steps from `steps.count` on.
  public let foreignSteps: [ForeignStep]
  /// Extracts that no step of this document uses; those that other documents use are well used.
  public let unusedExtracts: [UnusedExtract]
  /// `profiles:`, in file order, and behind them those that only the project has.
  public let profiles: [Located<String>]
  /// The name of the profile in use, where it says that a run has to be confirmed.
  public let confirmation: Located<String>?
  /// Variables given from outside that the document neither declares nor uses: of `--var`, if no document of the run has them, mistakes.
  public let unusedOverrides: [Located<String>]
  /// Files that steps send or compare with and that are not there: errors, unless another step downloads them. ``Plan/check(limit:)`` of the
  /// planner tells them apart.
  public let missingFiles: [Diagnostic]
  /// The steps in file order. A step's ordinal is its index here.
  public let steps: [Step]
  private let index: KeyIndex

  init(
    file: SourceFile, directory: String, name: Located<String>?, description: String?, order: Order,
    reachability: ReachabilitySettings, variables: [Variable], variableOrder: [Int], authentications: [AuthDefinition],
    secrets: [SecretDeclaration], environmentVariables: [String], resources: [ResourceDeclaration], inputs: [InputDeclaration],
    outputs: [OutputDeclaration], uses: [UsedDocument], foreignSteps: [ForeignStep],
    unusedExtracts: [UnusedExtract],
    profiles: [Located<String>], confirmation: Located<String>?,
    unusedOverrides: [Located<String>], missingFiles: [Diagnostic], steps: [Step],
    index: KeyIndex
  ) {
    self.file = file
    self.directory = directory
    self.name = name
    self.description = description
    self.order = order
    self.reachability = reachability
    self.variables = variables
    self.variableOrder = variableOrder
    self.authentications = authentications
    self.secrets = secrets
    self.environmentVariables = environmentVariables
    self.resources = resources
    self.inputs = inputs
    self.outputs = outputs
    self.uses = uses
    self.foreignSteps = foreignSteps
    self.unusedExtracts = unusedExtracts
    self.profiles = profiles
    self.confirmation = confirmation
    self.unusedOverrides = unusedOverrides
    self.missingFiles = missingFiles
    self.steps = steps
    self.index = index
  }

  /// The warning of an extract that nothing uses.
  public func warning(of unused: UnusedExtract) -> Diagnostic {
    let step = steps[unused.step]
    let name = step.extractions[unused.extract].name
    return Diagnostic(.unusedExtract, severity: .warning, "nothing uses `\(step.id).\(name.value)`", at: name.range)
      .help("name it in another step or in `outputs`, for callers of this document, or remove it")
  }

  /// The step of an id.
  public func step(_ id: String) -> Step? {
    var id = id
    let hash = id.withUTF8(KeyIndex.hash)
    return index.place(hash) { steps[$0].id == id }.map { steps[$0] }
  }
}
