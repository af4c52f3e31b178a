import CCurl
import Glibc

/// Streams, beside transfers.
extension TransferCore {
  func add(_ stream: StreamConnection) {
    stream.index = streams.count
    streams.append(stream)
  }

  func remove(_ stream: StreamConnection) {
    guard stream.index >= 0 else { return }
    let last = streams.removeLast()
    if last !== stream {
      streams[stream.index] = last
      last.index = stream.index
    }
    stream.index = -1
  }

  /// Waits for the network, the event descriptor or the time, and serves the streams that something came for. Whether the event descriptor was signalled.
  func waitWithStreams(_ multi: OpaquePointer, event: Int32, milliseconds: Int32) -> Bool {
    var waits = [curl_waitfd(fd: event, events: Int16(CURL_WAIT_POLLIN), revents: 0)]
    var waiting: [StreamConnection] = []
    for stream in streams where stream.events != 0 {
      waits.append(curl_waitfd(fd: stream.descriptor, events: stream.events, revents: 0))
      waiting.append(stream)
    }
    curl_multi_poll(multi, &waits, UInt32(waits.count), milliseconds, nil)
    now = MonotonicClock.now
    for (wait, stream) in zip(waits.dropFirst(), waiting) where wait.revents != 0 && stream.index >= 0 { stream.process(self) }
    return waits[0].revents != 0
  }
}
