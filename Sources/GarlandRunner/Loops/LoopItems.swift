import GarlandDiagnostics
import GarlandJSON
import GarlandResults
import GarlandWorkflow

/// The items of a loop. Each item is created only when it is read.
enum LoopItems: Sendable {
  case list([Value])
  case rows(RowsFile)
  /// Every combination of the values in several lists, each of which has a name. In the order of the items, the value from the last list
  /// changes fastest.
  case matrix(names: [String], axes: [[Value]])

  var count: Int {
    switch self {
    case .list(let items): items.count
    case .rows(let rows): rows.count
    case .matrix(_, let axes): axes.reduce(1) { $0 * $1.count }
    }
  }

  subscript(index: Int) -> Value {
    switch self {
    case .list(let items): return items[index]
    case .rows(let rows): return .plain(rows[index])
    case .matrix(let names, let axes):
      var rest = index
      var members: [(key: String, value: Value)] = []
      for (name, values) in zip(names, axes).reversed() {
        members.append((name, values[rest % values.count]))
        rest /= values.count
      }
      return .object(of: members.reversed())
    }
  }

  /// The maximum number of combinations of a matrix. A matrix with more combinations is an error.
  private static let matrixLimit = 1_000_000

  /// Evaluates the list, table or matrix over which a step loops, and returns its items.
  static func evaluate(
    _ loop: Loop, directory: String, files: FileAccess, in context: some EvaluationContext
  ) throws(RequestRefusal) -> LoopItems {
    switch loop.source {
    case .list(let template):
      let value = try evaluated(template, context)
      guard value.kind == .array else {
        throw refusal(loop, "is \(Shown.found(value.json)), but a loop needs a list", at: template.range)
      }
      return .list(value.elements)
    case .rows(let file, let format):
      let path = try located(file, loop, directory, files, context)
      guard let format = format ?? RowsFormat(fileName: path) else {
        throw refusal(loop, "the format of the rows is unknown: `\(path)` has no known extension", at: loop.key.range)
      }
      do throws(RowsError) {
        return .rows(try RowsFile.read(path, format, files.files))
      } catch {
        if Computation.hasEnded { throw .value(EvaluationError(.init(.outOfTime, "`\(path)`: \(error.message)", at: file.path.range))) }
        var failure = CheckFailure(.file, subject: loop.key.value, message: "`\(path)`: \(error.message)", at: file.path.range)
        failure.help = error.help
        throw .file(failure)
      }
    case .matrix(let axes):
      var lists: [[Value]] = []
      var count = 1
      for axis in axes {
        let value = try evaluated(axis.values, context)
        guard value.kind == .array else {
          throw refusal(loop, "`\(axis.name.value)` is \(Shown.found(value.json)), but a matrix needs lists", at: axis.values.range)
        }
        lists.append(value.elements)
        count = count.multipliedReportingOverflow(by: lists[lists.count - 1].count).overflow ? .max : count * lists[lists.count - 1].count
        guard count <= matrixLimit else { throw refusal(loop, "has more than \(matrixLimit) combinations", at: loop.key.range) }
      }
      return .matrix(names: axes.map(\.name.value), axes: lists)
    }
  }

  private static func evaluated(_ template: ValueTemplate, _ context: some EvaluationContext) throws(RequestRefusal) -> Value {
    do throws(EvaluationError) {
      return try template.evaluateItems(in: context)
    } catch {
      throw .value(error)
    }
  }

  private static func located(
    _ file: FileTemplate, _ loop: Loop, _ directory: String, _ files: FileAccess, _ context: some EvaluationContext
  ) throws(RequestRefusal) -> String {
    if let resolved = file.resolved { return resolved }
    let path: String
    do throws(EvaluationError) {
      path = try file.path.evaluateText(in: context).text
    } catch {
      throw .value(error)
    }
    do throws(WorkflowFileError) {
      return try files.locate(path, from: directory)
    } catch {
      var failure = CheckFailure(.file, subject: loop.key.value, message: "`\(path)` can't be used: \(error.message)", at: file.path.range)
      if error.isOutside { failure.help = "allow the folder of the file with `--allow-path DIR`" }
      throw .file(failure)
    }
  }

  private static func refusal(_ loop: Loop, _ message: String, at range: SourceRange) -> RequestRefusal {
    .request(CheckFailure(.value, subject: loop.key.value, message: message, at: range))
  }
}
