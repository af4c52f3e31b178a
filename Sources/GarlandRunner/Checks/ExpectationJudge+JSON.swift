import GarlandJSON
import GarlandResults
import GarlandWorkflow

/// Checks `expect.json` and `expect.plist`: the values that JSONPaths select in the body.
extension ExpectationJudge {
  mutating func judgeJSON(_ path: JSONPath, _ predicates: [Predicate], _ expectation: Expectation, in format: BodyValues.Format = .json) {
    // The subject of a failure. It is computed only when there is a failure.
    var subject: String { "\(format.key) \(path.text)" }
    let judge = PredicateJudge(context: context, target: .json)
    do throws(ResponseDataError) {
      if let elements = path.singularElements {
        let value = try values.value(at: elements, in: format)
        if keepsFound { foundValue = value }
        if let value, judge.holdsAtOnce(predicates, for: value) { return }
        let found = judge.mismatches(predicates, of: value)
        guard !found.isEmpty else {
          if value == nil, elements.count > 1 { try judgeAbsence(path, elements, predicates, expectation, format) }
          return
        }
        let root = try values.root(of: format)
        let explanation = value == nil ? PathExplanation(path, in: root) : nil
        for mismatch in found {
          var failure = failure(mismatch, subject, expectation, excerpt: explanation?.excerpt)
          if let explanation, !mismatch.isValueError { failure.help = explanation.help ?? failure.help }
          if value != nil, !elements.isEmpty || !mismatch.place.isEmpty {
            failure.excerpt = JSONPlace.around(elements + mismatch.place, in: root)
          }
          failures.append(failure)
        }
      } else {
        judgeSelection(path, predicates, judge, subject, expectation, try values.root(of: format))
      }
    } catch {
      reportNoJSON(error, subject, expectation, format)
    }
  }

  /// Checks an expectation that a value is absent. The list or object that would contain the value must exist. Otherwise the check fails,
  /// since the path may be misspelt.
  private mutating func judgeAbsence(
    _ path: JSONPath, _ elements: [JSONPathElement], _ predicates: [Predicate], _ expectation: Expectation, _ format: BodyValues.Format
  ) throws(ResponseDataError) {
    guard let predicate = predicates.first else { return }
    let root = try values.root(of: format)
    let parent = Array(elements.dropLast())
    let found = root.value(at: parent)
    switch found {
    case .object?, .array?: return
    default: break
    }
    let place = PathText.short(parent)
    let subject = "\(format.key) \(path.text)"
    let explanation = PathExplanation(elements, in: root)
    var failure = CheckFailure(
      .expectation, subject: subject,
      message: found.map { "can't be checked for absence: `\(place)` is \(Shown.found($0)), expected an object or a list" }
        ?? "can't be checked for absence: `\(place)` is missing too",
      at: predicate.range)
    failure.help = [explanation.help, "if `\(place)` may be missing, write `\(place): { exists: false }`"].compactMap(\.self).joined(
      separator: "; ")
    failure.excerpt = explanation.excerpt
    failures.append(failure)
  }

  private mutating func judgeSelection(
    _ path: JSONPath, _ predicates: [Predicate], _ judge: PredicateJudge, _ subject: String, _ expectation: Expectation, _ root: JSONValue
  ) {
    do throws(JSONPathEvaluationError) {
      let selected = try path.values(in: root)
      if keepsFound { foundValue = .array(selected) }
      for predicate in predicates {
        let found = judge.mismatches(predicate, ofSelected: selected)
        guard !found.isEmpty else { continue }
        let nodes = try path.nodes(in: root)
        let explanation = selected.isEmpty ? PathExplanation(path, in: root) : nil
        for mismatch in found {
          var failure = failure(mismatch, subject, expectation, excerpt: explanation?.excerpt)
          if let explanation, !mismatch.isValueError {
            if mismatch.isUnfit || isPresence(predicate) {
              failure.message = explanation.message + (mismatch.help == nil ? "" : reason(for: predicate))
            }
            failure.help = [explanation.help, mismatch.help].compactMap(\.self).joined(separator: "; ")
            if failure.help == "" { failure.help = nil }
          } else if case .index(let index)? = mismatch.place.first, nodes.indices.contains(index) {
            let node = nodes[index]
            let place = node.location.elements
            failure.message = mismatch.message.replacingPrefix("item \(index) ", with: "\(PathText.short(place)) ")
            failure.excerpt = JSONPlace.around(place + mismatch.place.dropFirst(), in: root)
          } else {
            failure.excerpt = Excerpt.of(.array(selected))
          }
          failures.append(failure)
        }
      }
    } catch {
      failures.append(CheckFailure(.expectation, subject: subject, message: "can't be evaluated: \(error)", at: expectation.keyRange))
    }
  }

  mutating func judgeSchema(_ template: SchemaTemplate, _ expectation: Expectation) {
    do throws(ResponseDataError) {
      let root = try values.root()
      for mismatch in SchemaJudge.mismatches(template, root, at: expectation.range) {
        var failure = failure(mismatch, "schema", expectation, excerpt: JSONPlace.around(mismatch.place, in: root))
        failure.message = "the \(response.noun) \(mismatch.message)"
        failures.append(failure)
      }
    } catch {
      reportNoJSON(error, "schema", expectation)
    }
  }
}

/// Returns the end of the error message for a path that selects no value: the reason why `predicate` fails without a value.
private func reason(for predicate: Predicate) -> String {
  switch predicate.kind {
  case .each, .any: ", but `\(predicate.name)` needs at least one value"
  case .none: ", so `none` has no value to check"
  default: ", so `\(predicate.name)` fails"
  }
}

private func isPresence(_ predicate: Predicate) -> Bool { if case .exists = predicate.kind { true } else { false } }

extension String {
  fileprivate func replacingPrefix(_ prefix: String, with other: String) -> String {
    hasPrefix(prefix) ? other + dropFirst(prefix.count) : self
  }
}
