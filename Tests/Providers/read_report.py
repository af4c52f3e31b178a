"""Reads a report of Garland by somebody else's library, and prints as JSON what that has found.

    read_report.py FORMAT FILE

openmetrics  prometheus_client: a list of [name, labels, value], which its parsers of OpenMetrics and of the older text format must agree on.
tap          tap.py: a list of test points, with what the YAML diagnostics say.
otlp         opentelemetry-proto: a list of spans.
"""
import json
import sys


def openmetrics(path):
    from prometheus_client import parser
    from prometheus_client.openmetrics import parser as strict

    text = open(path, encoding="utf-8").read()

    def samples(families):
        return [[s.name, s.labels, s.value] for family in families for s in family.samples]

    found = samples(strict.text_string_to_metric_families(text))
    older = samples(parser.text_string_to_metric_families(text))
    if sorted(map(repr, found)) != sorted(map(repr, older)):
        sys.exit("the parsers of OpenMetrics and of the older format differ")
    if any(s.timestamp is not None for f in strict.text_string_to_metric_families(text) for s in f.samples):
        sys.exit("a sample has a timestamp, which the textfile collector refuses")
    return found


def tap(path):
    from tap.parser import Parser

    found = []
    for line in Parser().parse_file(path):
        entry = {"category": line.category}
        if line.category == "test":
            entry |= {"ok": line.ok, "number": line.number, "description": line.description, "skip": line.skip, "todo": line.todo}
            entry |= {"directive": line.directive.reason or "", "yaml": line.yaml_block}
        elif line.category == "plan":
            entry["count"] = line.expected_tests
        elif line.category == "version":
            entry["version"] = line.version
        elif line.category == "bail":
            entry["reason"] = line.reason
        elif line.category == "unknown":
            entry["text"] = str(line)
        found.append(entry)
    return found


def otlp(path):
    from google.protobuf import json_format
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    def value(any_value):
        return getattr(any_value, any_value.WhichOneof("value"))

    def identifiers(node):
        # OTLP's JSON has identifiers in hexadecimal (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding); protobuf's has base64.
        import base64

        if isinstance(node, dict):
            for key, item in node.items():
                if key in ("traceId", "spanId", "parentSpanId"):
                    node[key] = base64.b64encode(bytes.fromhex(item)).decode()
                else:
                    identifiers(item)
        elif isinstance(node, list):
            for item in node:
                identifiers(item)
        return node

    found = []
    for line in open(path, encoding="utf-8"):
        request = json_format.ParseDict(identifiers(json.loads(line)), ExportTraceServiceRequest())
        for resource in request.resource_spans:
            attributes = {a.key: value(a.value) for a in resource.resource.attributes}
            for scope in resource.scope_spans:
                for span in scope.spans:
                    found.append({
                        "resource": attributes, "scope": scope.scope.name, "trace": span.trace_id.hex(), "span": span.span_id.hex(),
                        "parent": span.parent_span_id.hex(), "name": span.name, "kind": span.kind, "start": span.start_time_unix_nano,
                        "end": span.end_time_unix_nano, "status": span.status.code, "message": span.status.message,
                        "attributes": {a.key: list(value(a.value).values) and [value(v) for v in value(a.value).values]
                                       if a.value.WhichOneof("value") == "array_value" else value(a.value) for a in span.attributes},
                        "events": [[e.name, e.time_unix_nano] for e in span.events],
                    })
    return found


json.dump({"openmetrics": openmetrics, "tap": tap, "otlp": otlp}[sys.argv[1]](sys.argv[2]), sys.stdout)
