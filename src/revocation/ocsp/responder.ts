import type { Clock } from '../../lib/clock.ts';
import { FetchError, type FetchErrorKind } from '../../lib/http/fetch-error.ts';
import type { FetchOptions, GuardedFetch } from '../../outbound/guarded-fetch.ts';
import {
  type Certificate,
  MAX_RESPONSE_BYTES,
  ParseError,
  parseOcspResponse,
  verifyOcspResponse,
} from '../../x509/index.ts';
import { isDecisive, type Outcome, outcomeOf } from './outcome.ts';
import type { Question } from './question.ts';
import type { TimeBudget } from './time-budget.ts';

/** HTTP caches can respond to GET; POST is mandatory for every responder (RFC 6960 §A.1). */
export type Method = 'GET' | 'POST';

/** Dependencies of every request. */
export interface Means {
  readonly fetch: GuardedFetch;
  readonly clock: Clock;
  /** Callbacks for each request that is sent, and for each without a verified response. */
  readonly onRequest: () => void;
  readonly onFailure: () => void;
}

/**
 * Maximum length of a GET request (RFC 6960 §A.1). Longer requests are sent with POST.
 * @limit an OCSP request in a URL, characters -> it is sent with POST
 */
const MAX_GET_LENGTH = 255;
const HTTP_OK = 200;
/** Kinds of errors that are probably no attack: there was no response. */
const FORGIVABLE: ReadonlySet<FetchErrorKind> = new Set(['network', 'timeout']);

/**
 * Sends a request to one responder, and a second one with the other method if the first was inconclusive and time is
 * left. An invalid response counts even if the second method gets none.
 */
export async function askResponder(
  means: Means,
  server: string,
  question: Question,
  methods: readonly [Method, Method],
  time: TimeBudget,
): Promise<Outcome> {
  let found: Outcome | undefined;
  for (const method of methods) {
    const url = method === 'GET' ? getUrl(server, question.request) : server;
    if (url === undefined) continue;
    const outcome = await ask(means, server, question, url, optionsOf(method, question, time));
    if (isDecisive(outcome)) return outcome;
    if (found?.kind !== 'invalid') found = outcome;
    if (time.left === 0) break;
  }
  return found ?? { kind: 'unreachable', server, detail: 'no time left' };
}

/** Returns undefined if the request is too long for a URL. */
function getUrl(server: string, request: Buffer): string | undefined {
  const path = encodeURIComponent(request.toString('base64'));
  const url = URL.parse(server);
  if (path.length > MAX_GET_LENGTH || url === null) return undefined;
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`;
  return url.href;
}

function optionsOf(method: Method, { request, settings }: Question, { left }: TimeBudget): FetchOptions {
  const authorities = settings.responderCertificates.map(pemOf);
  const options = { method, authorities, timeoutMs: left, maxBytes: MAX_RESPONSE_BYTES };
  if (method === 'GET') return options;
  return { ...options, headers: { 'content-type': 'application/ocsp-request' }, body: request };
}

function pemOf({ der }: Certificate): string {
  const lines = der.toString('base64').replace(/.{64}/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

async function ask(
  means: Means,
  server: string,
  question: Question,
  url: string,
  options: FetchOptions,
): Promise<Outcome> {
  means.onRequest();
  const outcome = await answerTo(means, server, question, url, options);
  if (outcome.kind === 'unreachable' || outcome.kind === 'invalid') means.onFailure();
  return outcome;
}

async function answerTo(
  { fetch, clock }: Means,
  server: string,
  question: Question,
  url: string,
  options: FetchOptions,
): Promise<Outcome> {
  try {
    const response = await fetch(url, options);
    if (response.status !== HTTP_OK) {
      response.discard();
      return statusOutcome(server, response.status, options);
    }
    return evaluateResponse(server, question, await response.bytes(), clock());
  } catch (error) {
    return errorOutcome(server, error);
  }
}

function evaluateResponse(
  server: string,
  { certificate, issuer, settings }: Question,
  body: Buffer,
  time: number,
): Outcome {
  const response = parseOcspResponse(body);
  if (response.status === 'tryLater' || response.status === 'internalError') {
    return { kind: 'unreachable', server, detail: response.status };
  }
  const { thisUpdateMaxAge, responderCertificates } = settings;
  const maxAge = thisUpdateMaxAge > 0 ? thisUpdateMaxAge * 1000 : undefined;
  const decision = verifyOcspResponse(response, certificate, issuer, {
    time,
    responders: responderCertificates,
    ...(maxAge !== undefined && { maxAge }),
  });
  return outcomeOf(server, decision, maxAge);
}

/** Classifies an HTTP status. A responder need not support GET, and may refuse it with any status. */
function statusOutcome(server: string, status: number, { method }: FetchOptions): Outcome {
  const kind = status >= 500 || method === 'GET' ? 'unreachable' : 'invalid';
  return { kind, server, detail: `status ${status} to ${method}` };
}

function errorOutcome(server: string, error: unknown): Outcome {
  if (error instanceof ParseError) return { kind: 'invalid', server, detail: `not an OCSP response: ${error.message}` };
  if (!(error instanceof FetchError)) throw error;
  const kind = FORGIVABLE.has(error.kind) ? 'unreachable' : 'invalid';
  return { kind, server, detail: `${error.kind}: ${error.message}` };
}
