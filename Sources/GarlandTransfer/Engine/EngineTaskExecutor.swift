/// An engine's thread as what tasks prefer to run on. Not the loop itself, which is what actors run on: a job must run as what it was enqueued for.
final class EngineTaskExecutor: TaskExecutor {
  private let loop: EngineLoop

  init(loop: EngineLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) { loop.enqueue(job, of: asUnownedTaskExecutor()) }
}
