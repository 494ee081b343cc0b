import { hostname } from 'node:os';
import type { AttributeValue, Span } from './span.ts';

/** The service that exports spans. */
export interface Exporter {
  readonly version: string;
}

const ERROR = 2;

/**
 * Returns spans as an OTLP/HTTP request in JSON (opentelemetry-proto `ExportTraceServiceRequest`; IDs in hex, 64-bit
 * numbers as strings).
 */
export function otlpRequest(spans: readonly Span[], { version }: Exporter): object {
  const of = (name: string, some: readonly Span[]) => ({
    resource: {
      attributes: attributes({
        'service.name': name,
        'service.version': version,
        'service.instance.id': `${hostname()}-${process.pid}`,
        'host.name': hostname(),
      }),
    },
    scopeSpans: [{ scope: { name: 'lockkeeper', version }, spans: some.map(written) }],
  });
  const own = spans.filter(({ by }) => by === undefined);
  const agents = spans.filter(({ by }) => by === 'agent');
  return {
    resourceSpans: [
      ...(own.length > 0 ? [of('lockkeeper', own)] : []),
      ...(agents.length > 0 ? [of('lockkeeper-agent', agents)] : []),
    ],
  };
}

function written(span: Span): object {
  const { traceId, spanId, parentId, name, kind, start, end, isError, events = [] } = span;
  return {
    traceId,
    spanId,
    ...(parentId !== undefined && { parentSpanId: parentId }),
    name,
    kind,
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(Math.max(start, end)),
    attributes: attributes(span.attributes),
    ...(events.length > 0 && {
      events: events.map((event) => ({ timeUnixNano: nanoseconds(event.time), name: event.name })),
    }),
    status: isError ? { code: ERROR } : {},
  };
}

function attributes(values: Span['attributes']): object[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  );
}

function anyValue(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

const nanoseconds = (ms: number): string => String(BigInt(Math.round(ms * 1_000)) * 1_000n);
