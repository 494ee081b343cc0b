import { httpCollector } from './audit-collectors.ts';

/** A received span. */
export interface ArrivedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly start: bigint;
  readonly end: bigint;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly string[];
  readonly isError: boolean;
}

export interface OtlpCollector {
  readonly endpoint: string;
  /** @throws Error for a request that violates OTLP */
  spans(): ArrivedSpan[];
  /** Everything received, as text. */
  text(): string;
  headers(): Readonly<Record<string, unknown>>;
  stop(): Promise<void>;
}

/** Receives OTLP over HTTP in JSON, and validates it against the schema of opentelemetry-proto. */
export async function otlpCollector(answer: () => number | undefined = () => 200): Promise<OtlpCollector> {
  const collector = await httpCollector(() => answer());
  const spans = () => collector.deliveries.flatMap(({ text }) => spansIn(JSON.parse(text)));
  return {
    endpoint: collector.url.replace('/ingest', ''),
    spans,
    text: () => collector.deliveries.map(({ text }) => text).join('\n'),
    headers: () => collector.deliveries[0]?.headers ?? {},
    stop: collector.stop,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
function spansIn(request: any): ArrivedSpan[] {
  only(request, ['resourceSpans']);
  // biome-ignore lint/suspicious/noExplicitAny: the same
  return request.resourceSpans.flatMap((ofResource: any) => {
    only(ofResource, ['resource', 'scopeSpans']);
    const resource = attributesIn(ofResource.resource.attributes);
    // biome-ignore lint/suspicious/noExplicitAny: the same
    return ofResource.scopeSpans.flatMap(({ scope, spans }: any) => {
      only(scope, ['name', 'version']);
      return spans.map((span: Record<string, unknown>) => spanIn(span, `${resource['service.name']}`));
    });
  });
}

const MEMBERS = [
  ...['traceId', 'spanId', 'parentSpanId', 'name', 'kind', 'startTimeUnixNano', 'endTimeUnixNano'],
  ...['attributes', 'events', 'status'],
];

// biome-ignore lint/suspicious/noExplicitAny: the same
function spanIn(span: any, service: string): ArrivedSpan {
  only(span, MEMBERS);
  if (!/^[\da-f]{32}$/.test(span.traceId) || !/^[\da-f]{16}$/.test(span.spanId))
    throw new Error('not the id of a span');
  if (span.parentSpanId !== undefined && !/^[\da-f]{16}$/.test(span.parentSpanId)) throw new Error('not a parent');
  if (typeof span.name !== 'string' || ![1, 2, 3, 4, 5].includes(span.kind)) throw new Error('not a span');
  const [start, end] = [BigInt(span.startTimeUnixNano), BigInt(span.endTimeUnixNano)];
  if (end < start) throw new Error('it ends before it begins');
  if (![undefined, 0, 1, 2].includes(span.status.code)) throw new Error('not a status');
  return {
    ...{ service, traceId: span.traceId, spanId: span.spanId, name: span.name, kind: span.kind, start, end },
    ...(span.parentSpanId && { parentSpanId: span.parentSpanId }),
    attributes: attributesIn(span.attributes),
    events: (span.events ?? []).map(({ name }: { name: string }) => name),
    isError: span.status.code === 2,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the same
function attributesIn(attributes: any): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }: { key: string; value: Record<string, unknown> }) => {
      only(value, ['stringValue', 'boolValue', 'intValue', 'doubleValue']);
      const [found] = Object.values(value);
      if (value.intValue !== undefined && typeof value.intValue !== 'string') throw new Error('64 bits are a text');
      return [key, value.intValue === undefined ? found : Number(found)];
    }),
  );
}

function only(object: object, members: readonly string[]): void {
  const other = Object.keys(object).find((name) => !members.includes(name));
  if (other !== undefined) throw new Error(`OTLP has no ${other} here`);
}
