import GarlandDiagnostics
import GarlandJSON
import GarlandResults
import GarlandWorkflow

extension Step {
  /// The source range of the step's key `graphql`, to which failures about errors in a GraphQL response refer. Nil if the step does not
  /// have the key, or if it allows errors in the response.
  var graphQL: SourceRange? {
    guard let body = request?.body, case .graphql(_, _, _, allowsErrors: false) = body.kind else { return nil }
    return body.key.range
  }
}

/// Checks that a GraphQL response contains no `errors`. The status does not show them, since most servers send them with the status 200
/// ([GraphQL §7.1.2](https://spec.graphql.org/October2021/#sec-Errors)).
extension ExpectationJudge {
  mutating func judgeGraphQL() {
    checkCount += 1
    let help = "if errors are right here, write `allow_errors: true` under `graphql`"
    do throws(ResponseDataError) {
      guard let errors = try values.value(at: BodyPaths.errors), let words = Self.words(errors) else { return }
      var failure = CheckFailure(.expectation, subject: "graphql", message: words, at: step.graphQL)
      failure.expected = "no errors"
      failure.actual = Shown.value(errors, limit: Shown.line)
      failure.excerpt = Excerpt.of(errors)
      failure.help = help
      failures.append(failure)
    } catch {
      // With a status outside of 2xx, the body may be anything, such as a proxy's error page.
      guard (200...299).contains(response.status) else { return }
      let type = response.noJSON(error).help
      var failure = CheckFailure(error, subject: "graphql", at: step.graphQL)
      failure.help = [type, help].compactMap(\.self).joined(separator: "; ")
      failure.excerpt = Excerpt.beginning(of: response)
      failures.append(failure)
    }
  }

  /// Describes the errors of a GraphQL response. Returns nil for `null` and for an empty list, with which some servers state that there are
  /// no errors.
  private static func words(_ errors: JSONValue) -> String? {
    if errors.isNull { return nil }
    guard let list = errors.arrayValue else { return "has errors: \(Shown.value(errors))" }
    guard let first = list.first else { return nil }
    let message = first["message"]?.stringValue.map { JSONValue.string($0) } ?? first
    return "has \(Shown.count(list.count, "error")): \(Shown.value(message))\(list.count > 1 ? " and others" : "")"
  }
}
