import GarlandResults
import GarlandWorkflow

/// The default expectations, which are checked unless the step has its own expectation about the same part of the response.
extension ExpectationJudge {
  /// Reports a failure for a step that expects an error but received a response.
  mutating func judgeMissingError() {
    for expectation in step.expectations {
      guard case .error(let template) = expectation.check else { continue }
      checkCount += 1
      let wanted = ErrorJudge.words(of: template, in: context)
      var failure = CheckFailure(
        .expectation, subject: "error",
        message: "is missing: the server sent a response with status \(response.status), but the step expects \(wanted)",
        at: expectation.range)
      failure.expected = wanted
      failure.actual = "a response with status \(response.status)"
      failure.excerpt = Excerpt.beginning(of: response)
      failures.append(failure)
    }
  }

  mutating func judgeStatusByDefault() {
    checkCount += 1
    let needed = step.action.defaultStatus
    guard needed.map({ response.status != $0.code }) ?? !(200...299).contains(response.status) else { return }
    statusIsWrong = true
    let expected = needed.map { "\($0.code)" } ?? "2xx"
    var failure = CheckFailure(
      .expectation, subject: "status", message: "is \(response.status), expected \(expected)", at: step.request?.method.range)
    failure.expected = expected
    failure.actual = "\(response.status)"
    failure.excerpt = Excerpt.beginning(of: response)
    failure.help =
      needed?.otherwise ?? missingTicket ?? "if this status is right, write `expect: {status: \(response.status)}`"
    failures.append(failure)
  }

  /// The advice for a response with status 401, if the request was sent without a required Kerberos ticket; nil for any other response.
  var missingTicket: String? {
    guard response.status == 401, let problem = response.ticketProblem else { return nil }
    return "no Kerberos ticket was sent: \(problem). `klist` shows your tickets, `kinit` gets one"
  }

  /// Checks the media type of a successful response with a body, if the step has no expectation about the media type. As in Alamofire, the
  /// field `Accept` that the step sets must allow this type. If the step sets no `Accept`, nothing is checked.
  mutating func judgeTypeByDefault() {
    guard !response.acceptedTypes.isEmpty, (200...299).contains(response.status), response.status != 204, response.status != 205,
      response.method != "HEAD", response.size > 0
    else { return }
    checkCount += 1
    let accepted = response.acceptedTypes.flatMap(AcceptedTypes.patterns(of:))
    guard !accepted.isEmpty else { return }
    let type = response.headers(named: "content-type").last
    if let type, let found = MediaTypePattern(type), accepted.contains(where: { $0.matches(found) }) { return }
    if type == nil, accepted.contains(where: { $0.type == "*" }) { return }
    let wanted = response.acceptedTypes.joined(separator: ", ")
    let header = step.request?.headers.first { $0.name.value.lowercased() == "accept" && !$0.isDefault }
    var failure = CheckFailure(
      .expectation, subject: "type", message: "\(found(type)), which the `Accept: \(Shown.cut(wanted, 80))` of the step does not allow",
      at: header?.name.range ?? step.request?.method.range)
    failure.expected = wanted
    failure.actual = type
    failure.excerpt = Excerpt.beginning(of: response)
    failure.help =
      "if this type is right, write `expect: {type: \(type.map { String($0.prefix { $0 != ";" }) } ?? "…")}`, or change `Accept`"
    failures.append(failure)
  }

  func found(_ type: String?) -> String { type.map { "is `\(Shown.cut($0, 80))`" } ?? "is missing" }
}
