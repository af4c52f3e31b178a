/// Collects the references to steps and inputs in expectations and extractions.
extension ReferenceCollector {
  mutating func add(_ expectation: Expectation, key: @autoclosure () -> String) {
    let isDefault = expectation.isDefault
    ownNeeds.formUnion(expectation.check.needs)
    add(expectation.check, key(), isDefault: isDefault)
  }

  private mutating func add(_ check: Expectation.Check, _ key: @autoclosure () -> String, isDefault: Bool) {
    switch check {
    case .named(let name, let check):
      add(name, key(), isDefault: isDefault)
      add(check, key(), isDefault: isDefault)
    case .status(let patterns): for pattern in patterns { add(pattern, key(), isDefault: isDefault) }
    case .type(let patterns): for pattern in patterns { add(pattern, key(), isDefault: isDefault) }
    case .schema: break
    case .sha256(.hex(let digest)): add(digest, key(), isDefault: isDefault)
    case .sha256(.file(let file)): add(file, key(), isDefault: isDefault)
    case .snapshot(let snapshot): add(snapshot.file, key(), isDefault: isDefault)
    case .error(let error):
      for name in error.names { add(name, key(), isDefault: isDefault) }
      for predicate in error.message { add(predicate, key(), isDefault: isDefault) }
    case .that(let condition): add(condition, key(), isDefault: isDefault)
    case .firstBytes(let settings): for setting in settings { add(setting, key(), isDefault: isDefault) }
    case .header(_, let predicates), .cookie(_, let predicates), .json(_, let predicates), .xpath(_, let predicates),
      .tls(_, let predicates), .cookieFact(_, _, let predicates), .plist(_, let predicates), .firstBytesPredicates(let predicates),
      .statusPredicates(let predicates),
      .typePredicates(let predicates), .body(let predicates), .time(let predicates), .size(let predicates), .redirects(let predicates),
      .url(let predicates), .version(let predicates), .method(let predicates), .query(_, let predicates), .items(_, let predicates),
      .timeToFirstItem(_, let predicates), .item(_, let predicates):
      for predicate in predicates { add(predicate, key(), isDefault: isDefault) }
    }
  }

  private mutating func add(_ predicate: Predicate, _ key: @autoclosure () -> String, isDefault: Bool) {
    switch predicate.kind {
    case .eq(let value), .ne(let value), .gt(let value), .gte(let value), .lt(let value), .lte(let value), .in(let value),
      .contains(let value), .startsWith(let value), .endsWith(let value), .subset(let value):
      add(value, key(), isDefault: isDefault)
    case .matches(let pattern): add(pattern, key(), isDefault: isDefault)
    case .type, .schema: break
    case .empty(let setting), .exists(let setting): add(setting, key(), isDefault: isDefault)
    case .length(let predicates), .each(let predicates), .any(let predicates), .none(let predicates), .not(let predicates):
      for predicate in predicates { add(predicate, key(), isDefault: isDefault) }
    case .json(let selected):
      for part in selected { for predicate in part.predicates { add(predicate, key(), isDefault: isDefault) } }
    case .date(let date):
      for value in [date.before, date.after, date.at] { if let value { add(value, key(), isDefault: isDefault) } }
      add(date.within, key(), isDefault: isDefault)
    }
  }

  mutating func add(_ extraction: Extraction) {
    // Most extractions contain no expression, and then need no place.
    if extraction.defaultValue == nil, extraction.refinement == nil, case .json = extraction.source {
      ownNeeds.insert(.json)
      return
    }
    let key = "extract.\(extraction.name.value)"
    switch extraction.source {
    case .json, .pointer: ownNeeds.insert(.json)
    case .xpath: ownNeeds.insert(.markup)
    case .regex(let pattern):
      ownNeeds.insert(.text)
      add(pattern, key, isDefault: false)
    case .header(let name):
      ownNeeds.insert(.headers)
      add(name, key, isDefault: false)
    case .plist: ownNeeds.insert(.propertyList)
    case .firstBytes: ownNeeds.insert(.beginning)
    case .cookieFact(let name, _):
      ownNeeds.insert(.headers)
      add(name, key, isDefault: false)
    case .cookie(let name):
      ownNeeds.insert(.cookies)
      add(name, key, isDefault: false)
    case .query(let name):
      ownNeeds.insert(.facts)
      add(name, key, isDefault: false)
    case .output, .item: break
    case .url: ownNeeds.insert(.facts)
    case .urlPattern(let pattern):
      ownNeeds.insert(.facts)
      add(pattern, key, isDefault: false)
    case .expression(let template): add(template, key, isDefault: false)
    }
    if let value = extraction.defaultValue { add(value, key, isDefault: false) }
    if let refinement = extraction.refinement {
      if let pattern = refinement.pattern { add(pattern, key, isDefault: false) }
      if let filters = refinement.filters { add(filters, key, isDefault: false) }
    }
  }
}

extension Expectation.Check {
  /// The parts of the response, such as headers or the JSON body, that are needed for this check.
  var needs: ResponseNeeds {
    switch self {
    case .status, .statusPredicates, .time, .size, .redirects, .url, .version, .tls, .method, .query, .timeToFirstItem: .facts
    case .items(_, let predicates): predicates.allSatisfy(\.asksOnlyForCount) ? .facts : .items
    case .item: []
    case .type, .typePredicates, .header: .headers
    case .cookie: .cookies
    case .cookieFact: .headers
    case .plist: .propertyList
    case .firstBytes, .firstBytesPredicates: .beginning
    case .json, .schema: .json
    case .xpath: .markup
    case .body: .text
    case .sha256: .digest
    case .snapshot: .text
    case .named(_, let check): check.needs
    case .that, .error: []
    }
  }
}

extension Predicate {
  /// Whether this predicate uses only the number of items in a list, so that the items themselves
  /// need not be stored.
  package var asksOnlyForCount: Bool {
    switch kind {
    case .length, .empty: true
    default: false
    }
  }
}
