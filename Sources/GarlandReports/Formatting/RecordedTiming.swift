import GarlandResults

extension Exchange.Timing {
  /// The times in whole microseconds, as a recording of the run has them: what is computed from these is the same in a report of the run
  /// and in one made of its recording.
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
  /// The phases with their names, in the order in which they happen.
  var named: [(name: StaticString, duration: Duration)] {
    [
      ("queue", queue), ("nameLookup", nameLookup), ("connect", connect), ("tls", tls), ("send", send), ("wait", wait),
      ("receive", receive),
    ]
  }
}

extension RunStart {
  /// The beginning of the run, in milliseconds since 1970, as a recording has it.
  var recordedMilliseconds: Int { Timestamp.milliseconds(startedAt) }
}

extension StepResult {
  /// The beginning and the end, in microseconds since the run's start, as a recording has them: the
  /// duration is the measured one.
  var recordedMicroseconds: Range<Int> {
    let start = Readable.microseconds(startedAt)
    return start..<start + max(0, Readable.microseconds(duration))
  }
}
