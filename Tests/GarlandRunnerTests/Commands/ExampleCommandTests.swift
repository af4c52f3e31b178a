import GarlandJSON
import GarlandResults
import GarlandSandbox
import Synchronization
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests that the curl command of every step of every example sends the same request as the run. The server's records of both requests are
/// compared.
@Suite("Examples as curl commands", .timeLimit(.minutes(15)))
struct ExampleCommandTests {
  @Test(arguments: Examples.plain)
  func `for every step of the example workflows, the generated curl command sends the same request as the step`(names: [String])
    async throws
  {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      let access = Examples.files(writingTo: folder)
      let plan = try Examples.plan(names, access, writingTo: folder)
      var configuration = RunConfiguration(
        environment: ["GARLAND_SANDBOX": sandbox.url], workingDirectory: folder.path, files: access)
      configuration.pace.isSerial = true
      let observer = RecordingObserver()
      configuration.observers = [observer]
      // Steps run one after another, so that the requests that the server has recorded when a step ends are those of this step.
      let ends = Mutex<[Int: Int]>([:])
      observer.react { event in
        guard case .stepEnded(let result) = event else { return }
        ends.withLock { $0[result.step.index] = sandbox.records.count }
      }
      let run = try #require(Run.prepare(plan, configuration).run)
      #expect(await run.start().summary.exitStatus == 0)
      let records = sandbox.records
      let boundaries = ends.withLock { $0 }

      var given: [[String: JSONValue]] = plan.workflows.map { _ in [:] }
      for result in observer.results {
        let workflow = plan.steps[result.step.index].workflowIndex
        let json = result.exchanges.last?.responseBody.flatMap { try? JSONValue(parsing: $0.bytes) }
        if let json { given[workflow]["\(result.step.id).json"] = json }
        for (name, value) in result.extracted {
          // Secrets are masked in results. In the examples, a secret is the member with its name.
          let plain = try JSONValue(parsing: Array(value.utf8))
          given[workflow]["\(result.step.id).\(name)"] = plain == "***" ? try #require(json?[name]) : plain
        }
      }
      var start = 0
      for result in observer.results {
        let step = plan.steps[result.step.index]
        let end = try #require(boundaries[result.step.index])
        let originals = records[start..<end].map(StepCommandTests.Request.init)
        start = end
        let values = given[step.workflowIndex]
        let command = try StepCommand(of: step, in: plan, configuration, given: values)
        var environment: [String: String] = [:]
        for (key, value) in values { environment[ShellVariables.name(of: key)] = value.stringValue ?? value.jsonText() }
        sandbox.clearRecords()
        let status = await Shell.run(command.text, environment: environment, in: folder.path)
        #expect(status == 0, "\(command.text)")
        #expect(sandbox.records.map(StepCommandTests.Request.init) == originals, "\(result.step.id): \(command.text)")
      }
    }
  }
}
