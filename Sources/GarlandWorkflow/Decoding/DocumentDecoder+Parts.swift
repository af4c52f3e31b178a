import GarlandDiagnostics
import GarlandJSON

extension DocumentDecoder {
  /// The other documents that a document needs.
  struct OtherDocuments {
    /// The documents of `use:`, and the documents whose steps this document shares with a document that it calls.
    var used: [UsedDocument] = []
    /// The documents that steps call, by the step's ordinal; the value is nil for a document with errors.
    var called: [Int: Workflow?] = [:]
    /// Whether one of these documents has errors. They have already been reported.
    var hasBroken = false
  }

  /// The results for texts that a suite repeats thousands of times, so that each text is compiled or checked once.
  struct DecodingCache {
    var paths = TextMemo<JSONPath>()
    var xpaths: [String: XPath] = [:]
    var patterns: [String: RegularExpression] = [:]
    var expectations = ExpectationMemo()
    /// The scheme, host and port of a URL that was already checked, up to and including its first `/`.
    var authority: [UInt8] = []
    /// The absolute paths of existing files, by the path in the document.
    var files: [String: String] = [:]
  }

  /// The profiles of a document and of its project.
  struct ProfilesOfDocument {
    var known: [KnownProfile] = []
    /// The profiles that are not selected for this run.
    var unused: [WrittenProfile] = []
  }

  /// The files that a document mentions.
  struct MentionedFiles {
    /// The files to which the part that is being decoded refers.
    let named = NamedFiles()
    /// The files that are named outside of the steps and apply to all of them: in variables, defaults and auth.
    var common: [String] = []
    /// Diagnostics of files that do not exist, but that a step of some document may download.
    var missing: [Diagnostic] = []
  }
}
