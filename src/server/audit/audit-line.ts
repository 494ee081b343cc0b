import type { RequestContext } from '../request/request-context.ts';
import { type Hash, redact, resourcesOf, shownPath } from './redact.ts';

/** What is said of a request before it is carried out. */
export interface Asked {
  readonly query: unknown;
  readonly body: unknown;
}

/** What is said of an answer before it is sent. */
export interface Answered {
  readonly status: number;
  /** What is sent, as an object; undefined for an empty answer, a text or a stream. */
  readonly payload: unknown;
}

/**
 * Longest line, bytes: what does not fit is left out. A datagram holds twice as much.
 * @limit a line, bytes -> its long parts are left out, and it says so
 */
const MAX_LINE = 32_768;
/**
 * Longest text in a line that was too long, characters.
 * @limit a text in a line that was too long, characters -> it is cut
 */
const MAX_CUT = 400;
/** What handlers say of the answer, beside who asked. */
const OUTCOME = ['error_kind', 'error', 'role', 'login_accessor', 'verdicts', 'ended_sessions', 'ended_of'];

/** The line of a request. */
export function requestLine(context: RequestContext, asked: Asked, hash: Hash): string {
  const { query, body } = asked;
  return line({
    ...common('request', context, hash),
    ...(isFilled(query) && { query: redact(query, hash, false) }),
    ...(body != null && { request: redact(body, hash, isJsonApi(context)) }),
  });
}

/** The line of an answer. What goes wrong before a request is looked at has this one alone. */
export function responseLine(context: RequestContext, answered: Answered, hash: Hash): string {
  const { status, payload } = answered;
  const response = isJsonApi(context) ? resourcesOf(payload) : redact(payload, hash, false);
  const { fields } = context;
  return line({
    ...common('response', context, hash),
    status,
    ...Object.fromEntries(OUTCOME.filter((name) => name in fields).map((name) => [name, fields[name]])),
    ...(response !== undefined && { response }),
  });
}

/** What a sink is tried with when nobody asks for anything. */
export function testLine(): string {
  return `${JSON.stringify({ time: new Date().toISOString(), type: 'test' })}\n`;
}

/** An `id` is no secret there, and an answer is told by the resources in it. */
const isJsonApi = ({ service }: RequestContext): boolean => service?.jsonApi ?? false;

function common(type: 'request' | 'response', context: RequestContext, hash: Hash) {
  const entry: Record<string, unknown> = {
    time: new Date().toISOString(),
    type,
    request_id: context.id,
    ...(context.trace && { trace_id: context.trace.traceId }),
    service: context.service?.name ?? 'none',
    method: context.request.method,
    path: shownPath(context, hash),
    remote_address: context.peer.address,
  };
  for (const [name, value] of Object.entries(context.fields)) if (name.startsWith('actor')) entry[name] = value;
  return entry;
}

function line(entry: Record<string, unknown>): string {
  const text = `${JSON.stringify(entry)}\n`;
  if (Buffer.byteLength(text) <= MAX_LINE) return text;
  return `${JSON.stringify({ ...cut(entry), truncated: true })}\n`;
}

/** Texts at the length that is left, numbers and truth values; nothing that has parts. */
function cut(entry: Record<string, unknown>): Record<string, unknown> {
  const short = (value: unknown) => (typeof value === 'string' ? value.slice(0, MAX_CUT) : value);
  const flat = Object.entries(entry).filter(([, value]) => typeof value !== 'object');
  return Object.fromEntries(flat.map(([name, value]) => [name, short(value)]));
}

function isFilled(query: unknown): boolean {
  return typeof query === 'object' && query !== null && Object.keys(query).length > 0;
}
