public import GarlandDiagnostics
import GarlandYAML

/// A workflow document, decoded and checked. It contains all data of the document that a run needs.
///
/// Workflows are immutable and shared. Steps, variables and secrets are identified by their index, so that no name is looked up at run
/// time.
public final class Workflow: Sendable {
  /// The rule that determines the order of steps, from the key `order:`.
  public enum Order: String, Sendable, Hashable, CaseIterable {
    /// The order is determined only by the dependencies of the steps.
    case dependencies
    /// Each step also waits for the nearest step above it, as if the steps ran from top to bottom.
    case file
  }

  /// Findings about a document. Whether they are mistakes depends on the other documents of the run.
  public struct Findings: Sendable {
    /// The extracts that nothing in this document uses. Other documents may use some of them: ``Plan/check(limit:)`` of the planner reports
    /// only those that no other document uses either.
    public let unusedExtracts: [UnusedExtract]
    /// The names of variables that are set outside of the document, for example with `--var`, but do not occur in the document. If a
    /// variable of `--var` occurs in no document of the run, this is an error.
    public let unusedOverrides: [Located<String>]
    /// Errors for files that steps use and that do not exist. If another step downloads such a file, ``Plan/check(limit:)`` of the planner
    /// drops the error.
    public let missingFiles: [Diagnostic]
  }

  /// The source file of the document.
  public let file: SourceFile
  /// The absolute path of the document's folder, to which relative paths are relative.
  public let directory: String
  /// The name of the document, from the key `name:`.
  public let name: Located<String>?
  /// The description of the document, from the key `description:`.
  public let description: String?
  /// The order of the steps, from the key `order:`. Default: ``Order/dependencies``.
  public let order: Order
  /// The settings for reachability checks, from the key `reachability:`.
  public let reachability: ReachabilitySettings
  /// The variables of the key `vars:` in the project, the document and the profiles, followed by variables that only a vars file or `--var`
  /// sets. A value from a profile, a vars file or `--var` replaces the value from the document.
  public let variables: [Variable]
  /// The indexes of ``variables`` in an order of evaluation: each variable comes after the variables that it uses.
  public let variableOrder: [Int]
  /// The entries of `auth:`, in file order.
  public let authentications: [AuthDefinition]
  /// The secrets that the document declares, followed by those that it uses without a declaration.
  public let secrets: [SecretDeclaration]
  /// The names of the environment variables that expressions use.
  public let environmentVariables: [String]
  /// The entries of `resources:`, in file order.
  public let resources: [ResourceDeclaration]
  /// The entries of `inputs:`, in file order.
  public let inputs: [InputDeclaration]
  /// The entries of `outputs:`, in file order.
  public let outputs: [OutputDeclaration]
  /// The other documents whose steps can run as part of this document's plan.
  ///
  /// The list begins with the documents of `use:`, in file order. It ends with the documents that only called documents use. A step of a
  /// listed document runs if this document or a called document uses the step.
  public let uses: [UsedDocument]
  /// The steps of other documents to which this document refers. In this document, their ordinals (the indexes that identify steps) begin
  /// at `steps.count`.
  public let foreignSteps: [ForeignStep]
  /// The name of the selected profile, if the user must confirm a run with this profile; otherwise nil.
  public let confirmation: Located<String>?
  /// Possible mistakes in the document, such as extracts that the document does not use. Whether they are mistakes depends on the other
  /// documents of the run.
  public let findings: Findings
  /// The steps in file order. The index of a step in this list is its ordinal.
  public let steps: [Step]
  private let index: KeyIndex

  init(
    file: SourceFile, directory: String, name: Located<String>?, description: String?, order: Order,
    reachability: ReachabilitySettings, variables: [Variable], variableOrder: [Int], authentications: [AuthDefinition],
    secrets: [SecretDeclaration], environmentVariables: [String], resources: [ResourceDeclaration], inputs: [InputDeclaration],
    outputs: [OutputDeclaration], uses: [UsedDocument], foreignSteps: [ForeignStep],
    confirmation: Located<String>?, findings: Findings, steps: [Step], index: KeyIndex
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
    self.confirmation = confirmation
    self.findings = findings
    self.steps = steps
    self.index = index
  }

  /// Returns the warning for an unused extract.
  public func warning(of unused: UnusedExtract) -> Diagnostic {
    let step = steps[unused.step]
    let name = step.extractions[unused.extract].name
    return Diagnostic(.unusedExtract, severity: .warning, "the extract `\(step.id).\(name.value)` is not used", at: name.range)
      .help("use it in another step or in `outputs`, or remove it")
  }

  /// Returns the step with the given id; nil if there is no such step.
  public func step(_ id: String) -> Step? {
    var id = id
    let hash = id.withUTF8(KeyIndex.hash)
    return index.place(hash) { steps[$0].id == id }.map { steps[$0] }
  }
}

/// The settings of a document's key `reachability:`.
public struct ReachabilitySettings: Sendable, Hashable {
  /// Whether the run begins with a check that hosts are reachable, before any request is sent, from the key `preflight:`. Only hosts that
  /// are known before the run are checked. Default: false.
  public let preflight: Bool
  /// The maximum time for which the preflight check waits until all checked hosts are reachable, from the key `wait:`. If nil, the check
  /// does not wait.
  public let wait: Duration?

  init(preflight: Bool = false, wait: Duration? = nil) {
    self.preflight = preflight
    self.wait = wait
  }
}

/// A secret that a document declares in `secrets:` or uses as `${secrets.NAME}`.
public struct SecretDeclaration: Sendable {
  /// The secret's name. Its value comes from the environment variable with the same name, unless `--secret` or a secrets file contains a
  /// value.
  public let name: String
  /// The source range of the declaration. If there is no declaration, the source range of the first use.
  public let range: SourceRange
  /// The absolute path of the file that the declaration names for the value; nil if it names no file. The file is read only if the value is
  /// not set in any other way.
  public let file: Located<String>?

  init(name: String, range: SourceRange, file: Located<String>? = nil) {
    self.file = file
    self.name = name
    self.range = range
  }
}

/// An extract that nothing in its document uses.
public struct UnusedExtract: Sendable, Hashable {
  private let stepOrdinal: Int32
  private let extractIndex: Int32

  init(step: Int, extract: Int) {
    stepOrdinal = Int32(clamping: step)
    extractIndex = Int32(clamping: extract)
  }

  /// The ordinal (index in the document) of the step that has the extract.
  public var step: Int { Int(stepOrdinal) }
  /// The index of the extract in ``Step/extractions``.
  public var extract: Int { Int(extractIndex) }
}
