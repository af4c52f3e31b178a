import GarlandResults

extension Exchange.Timing {
  /// The times rounded to whole microseconds. A recording of the run (its JSON report) contains rounded times, too.
  ///
  /// Reports compute values from the rounded times. Otherwise a report that is made from the recording would contain slightly different
  /// values from a report that is made during the run.
  var recorded: Exchange.Timing {
    func whole(_ time: Duration?) -> Duration? { time.map { .microseconds(Readable.microseconds($0)) } }
    var timing = self
    timing.startedAt = whole(startedAt)
    timing.nameLookup = whole(nameLookup)
    timing.connect = whole(connect)
    timing.tls = whole(tls)
    timing.requestStart = whole(requestStart)
    timing.requestSent = whole(requestSent)
    timing.firstByte = whole(firstByte)
    timing.total = whole(total) ?? .zero
    return timing
  }
}

extension Exchange.Timing.Phases {
  /// The phases with their names, in chronological order.
  var named: [(name: StaticString, duration: Duration)] {
    [
      ("queue", queue), ("nameLookup", nameLookup), ("connect", connect), ("tls", tls), ("send", send), ("wait", wait),
      ("receive", receive),
    ]
  }
}

extension RunStart {
  /// The start of the run in milliseconds since 1970, in the form that a recording contains.
  var recordedMilliseconds: Int { TimeText.milliseconds(startedAt) }
}

extension StepResult {
  /// The start and the end of the step, in whole microseconds since the run's start. Both are rounded as in the JSON report of the run. The
  /// length of the range is the measured duration.
  var recordedMicroseconds: Range<Int> {
    let start = Readable.microseconds(startedAt)
    return start..<start + max(0, Readable.microseconds(duration))
  }
}
