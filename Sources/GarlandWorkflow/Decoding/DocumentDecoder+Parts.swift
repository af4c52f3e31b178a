import GarlandDiagnostics
import GarlandJSON

extension DocumentDecoder {
  /// The other documents that a document needs.
  struct OtherDocuments {
    /// The documents of `use:`, and documents whose steps are shared with a document that this document calls.
    var used: [UsedDocument] = []
    /// The documents that steps call, by the ordinal of the calling step. The value is nil for a document with errors.
    var called: [Int: Workflow?] = [:]
    /// Whether at least one of these documents has errors. The errors have already been reported.
    var hasBroken = false
  }

  /// The results for texts that a suite of documents repeats thousands of times, so that each text is compiled or checked only once.
  struct DecodingCache {
    var paths = TextMemo<JSONPath>()
    var xpaths: [String: XPath] = [:]
    var patterns: [String: RegularExpression] = [:]
    var expectations = ExpectationMemo()
    /// The beginning of a URL that was already checked: scheme, host and port, up to and including the `/` after them.
    var authority: [UInt8] = []
    /// The absolute paths of existing files. The keys are the paths as written in the document.
    var files: [String: String] = [:]
  }

  /// The profiles that a document can use: those of the document and those of its project.
  struct ProfilesOfDocument {
    var known: [KnownProfile] = []
    /// The profiles that are not selected for this run.
    var unused: [WrittenProfile] = []
  }

  /// The files that a document mentions.
  struct MentionedFiles {
    /// The files that the part of the document that is being decoded refers to.
    let named = NamedFiles()
    /// The files that apply to all steps, since they are named in variables, defaults or `auth`.
    var common: [String] = []
    /// Diagnostics for files that do not exist. A diagnostic is reported only if no step downloads the file.
    var missing: [Diagnostic] = []
  }
}
