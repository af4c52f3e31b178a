import GarlandJSON
import GarlandResults
import GarlandWorkflow

/// Checks responses that are read item by item: the lists `events`, `lines` and `messages`, the time until the first item, and the members
/// of an item.
extension ExpectationJudge {
  /// Checks the list of items in a stream. Predicates about the length count all items, even those that were not kept in memory.
  mutating func judgeItems(of format: StreamFormat, _ predicates: [Predicate], _ expectation: Expectation) {
    guard let stream = streamOrFailure(format, format.rawValue, expectation) else { return }
    let judge = PredicateJudge(context: context, target: .json)
    let counting = predicates.filter(\.asksOnlyForCount)
    var found = judge.mismatches(counting, ofListOf: stream.count)
    if counting.count < predicates.count {
      found += judge.mismatches(predicates.filter { !$0.asksOnlyForCount }, of: .array(stream.items.values))
    }
    for mismatch in found { failures.append(failure(mismatch, format.rawValue, expectation, excerpt: nil)) }
  }

  mutating func judgeTimeToFirstItem(of format: StreamFormat, _ predicates: [Predicate], _ expectation: Expectation) {
    let subject = format.timeKey
    guard let stream = streamOrFailure(format, subject, expectation) else { return }
    let time = stream.timeToFirst.flatMap { JSONNumber($0.seconds) }.map { JSONValue.number($0) }
    report(predicates, .time, of: time, subject, expectation, missing: "is unknown: no \(stream.format.itemName) arrived")
  }

  /// Checks a member of the stream item that was just read, such as the data of an event.
  mutating func judgeItem(_ member: StreamItemMember, _ predicates: [Predicate], _ expectation: Expectation) {
    do throws(ResponseDataError) {
      guard let item = context.streamItem else { return }
      report(predicates, .text, of: try item.value(of: member), member.rawValue, expectation)
    } catch {
      failures.append(CheckFailure(error, subject: member.rawValue, at: expectation.range))
    }
  }

  /// Returns the stream that was read. If no stream of this format was read, returns nil. In this case, also reports a failure, unless
  /// another failure was already reported.
  private mutating func streamOrFailure(_ format: StreamFormat, _ subject: String, _ expectation: Expectation) -> StreamRecord? {
    if let stream = response.stream, stream.format == format { return stream }
    if failures.isEmpty {
      failures.append(
        CheckFailure(.expectation, subject: subject, message: "can't be checked: \(format.absence)", at: expectation.range))
    }
    return nil
  }
}
