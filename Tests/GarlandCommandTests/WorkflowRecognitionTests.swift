import Testing

@testable import garland

/// Tests of which files in a folder are workflows.
@Suite struct WorkflowRecognitionTests {
  @Test(arguments: [
    "garland: 1\nsteps: {}\n", "# a comment\n\nname: x\nsteps:\n  a: { get: / }\n", "\u{FEFF}garland: 1\n", "\"garland\": 1",
    "'steps' : {}",
    "--- { garland: 1, steps: {} }", "---\ngarland: 1\n", "--- garland: 1", "%YAML 1.2\n---\ngarland: 1\n", "\n  name: x\n  steps: {}\n",
    "? steps\n: {}\n", #"{"name":"x","garland":1,"steps":{}}"#, "{\n  \"name\": \"x\",\n  \"steps\": {}\n}\n", "name: x\r\ngarland: 1\r\n",
    "name: x\rgarland: 1\r", "a: 1\n---\ngarland: 1\n",
  ]) func `a file with the top-level key 'garland' or 'steps' is recognised as a workflow`(text: String) {
    #expect(WorkflowRecognition.isWorkflow(Array(text.utf8)))
  }

  @Test(arguments: [
    "", "\n\n", "# garland: 1\n", "services:\n  garland: { image: x }\n", "runs:\n  steps:\n    - run: x\n", "stepsize: 3\ngarlands: 4\n",
    "- garland: 1\n", "user: ann\n", "{ user: ann }",
  ]) func `a file without the top-level keys 'garland' and 'steps' is not recognised as a workflow`(text: String) {
    #expect(!WorkflowRecognition.isWorkflow(Array(text.utf8)))
  }

  @Test(arguments: [true, false]) func `a workflow in UTF-16 is recognised as a workflow`(isBigEndian: Bool) {
    func bytes(_ text: String) -> [UInt8] {
      text.utf16.flatMap { isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)] }
    }
    #expect(WorkflowRecognition.isWorkflow(bytes("\u{FEFF}garland: 1\n")))
    #expect(WorkflowRecognition.isWorkflow(bytes("garland: 1\n")))
  }
}
