import { createHash, randomBytes } from 'node:crypto';

/** Context that a span passes to its children: the trace, and whether it is recorded. */
export interface TraceContext {
  /** Trace ID, 32 hex digits. */
  readonly traceId: string;
  /** Span ID, 16 hex digits. */
  readonly spanId: string;
  readonly isSampled: boolean;
}

const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const ZEROS = /^0+$/;

/** Parses the header `traceparent` (W3C Trace Context §3.2). Returns undefined if it is absent or invalid. */
export function readTraceparent(text: unknown): TraceContext | undefined {
  if (typeof text !== 'string' || text.length > 200) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(text) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function traceparentOf({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

export const newTraceId = (): string => randomBytes(16).toString('hex');
export const newSpanId = (): string => randomBytes(8).toString('hex');

/** Derives IDs from a name, so that every node and process uses the same IDs for the same run without storing them. */
export function namedIds(name: string): { readonly traceId: string; readonly spanId: string } {
  const hash = createHash('sha256').update(name).digest('hex');
  return { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48) };
}

/**
 * Samples a trace by its ID, with the same result on every node: the last seven bytes of the ID are random (§2.2.2.3 of
 * level 2).
 */
export function isWithin(traceId: string, ratio: number): boolean {
  return Number.parseInt(traceId.slice(-13), 16) < ratio * 2 ** 52;
}
