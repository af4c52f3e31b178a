/// The descriptions of the keys for the order and the repetition of steps.
extension StepKey {
  /// The description of a key that names a step, or that determines when it runs; nil for any other key.
  var flowInfo: KeyInfo? {
    switch self {
    case .description: KeyInfo(.name, "The purpose of the step; shown in reports.", "Creates a book")
    case .extends:
      KeyInfo(
        .name,
        "Inherits from another step, or from one of `defaults.steps`; the keys of this step override the inherited ones as they override the defaults.",
        "api_call")
    case .steps:
      KeyInfo(
        .mapping(.table("template")), "Templates of steps: not run, only inherited with `extends`.",
        "{ api_call: { headers: { X-Api: '1' } } }")
    case .tags: KeyInfo(.either([.name, .list(.name)]), "Words by which `--tag` selects steps.", "[smoke]")
    case .after:
      KeyInfo(
        .either([
          .name, .list(.either([.name, .mapping(.oneOf(StepFlow.Condition.allCases.map(\.rawValue)))])),
          .mapping(.oneOf(StepFlow.Condition.allCases.map(\.rawValue))),
        ]),
        "Steps to wait for: each must pass, or, with `ended`, only end.", "{ cover: ended }")
    case .when: KeyInfo(.boolean, "The step is skipped unless this is true.", "${vars.region == 'eu'}")
    case .always: KeyInfo(.flag, "Runs after all steps that it depends on have ended, even if they fail.", "true")
    case .cleanup: KeyInfo(.name, "Cleans up after a step: runs after every step that uses that step, even if they fail.", "create")
    case .allowFailure: KeyInfo(.flag, "Failures of the step are reported, but do not fail the run.", "true")
    case .uses:
      KeyInfo(.either([.name, .list(.name)]), "Takes a slot of each of these `resources` while the step runs.", "[db]")
    case .exclusive: KeyInfo(.flag, "No other step runs at the same time.", "true")
    default: nil
    }
  }

  /// The description of a key that repeats a step or its request; nil for any other key.
  var repetitionInfo: KeyInfo? {
    switch self {
    case .forEach:
      KeyInfo(
        .either([.list(.anything), .expression]),
        "Runs the step once for each item of a list, at the same time; `item` is the item, `index` its position.",
        "${books.json.items}")
    case .rows:
      KeyInfo(
        .either([.pattern(RowsKey.extensions), .table("rows")]),
        "Runs the step once for each row of a CSV, TSV, JSON or JSON lines file: `item.COLUMN`.",
        "users.csv")
    case .matrix:
      KeyInfo(
        .filledMapping(.either([.list(.anything), .expression])), "Runs the step once for each combination of these values: `item.NAME`.",
        "{ size: [s, m], color: [red, blue] }")
    case .limit: KeyInfo(.atLeast(1), "The number of items that run at once. Default: the number of slots.", "4")
    case .label:
      KeyInfo(.text, "The name of an item in reports and on the console. Default: the item itself.", "${item.name}")
    case .delay: KeyInfo(.duration, "A wait before the first request.", "2s")
    case .retry:
      KeyInfo(
        .either([.atLeast(0), .flag, .table("retry"), .null]),
        "Retries the request after a transport error or a temporary status, and after a failed expectation if `on` names it. A number is the limit.",
        "{ limit: 3, delay: 1s }")
    case .poll:
      KeyInfo(
        .either([.table("poll"), .null]), "Sends the request again until the response meets a condition.",
        "{ until: \"${response.json.state == 'done'}\", every: 1s, within: 1m }")
    case .paginate:
      KeyInfo(
        .either([.table("paginate"), .null]), "Requests page after page; extracted lists are joined.",
        "{ next: '${response.json.next}' }")
    default: nil
    }
  }
}
