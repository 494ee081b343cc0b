import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Clock, isoTime } from '../../lib/clock.ts';
import { FetchError, type FetchErrorKind } from '../../lib/http/fetch-error.ts';
import type { HttpResponse } from '../../lib/http/http-request.ts';
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts';
import { createTenantFetch } from '../../outbound/tenant-fetch.ts';

/** Response to one message. All values are text, as in the API. */
export interface DeliveryResponse {
  readonly url: string;
  /** Body of the response; the reason if there was no response. */
  readonly body: string;
  /** Status of the response; empty if there was no response. */
  readonly code: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly 'sent-at': string;
  readonly successful: 'true' | 'false';
}

/** Receiver of a message. */
export interface Destination {
  readonly url: string;
  /** Key of the signature; null for no signature. */
  readonly token: string | null;
  /** Further headers, such as the token of a VCS provider. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Rules for the receivers of messages. */
export interface SenderOptions {
  /**
   * Host names, IP addresses and CIDR blocks to which the server sends although their networks are blocked, and over
   * plain HTTP, too.
   */
  readonly allowedAddresses?: readonly string[];
  /** PEM of CAs that the server trusts for receivers, besides the CAs of the system. */
  readonly authorities?: readonly string[];
}

/** Result of one delivery. */
export interface Sent {
  /** Response for the delivery history. */
  readonly response: DeliveryResponse;
  /** Outcome of a delivery. arrived: status 200 to 299. refused: a retry would not help. failed: a retry may help. */
  readonly outcome: 'arrived' | 'refused' | 'failed';
  /** Reason of a failure for its owner. Reveals no IP address that the owner did not know. */
  readonly reason: string;
}

/**
 * Timeout of one message, including the answer.
 * @limit duration of one delivery of a notification or a run task request, ms -> the delivery counts as failed
 */
export const LONGEST_DELIVERY = 10_000;
/** @limit stored part of a response to a notification or a run task request, bytes -> the rest is not read */
const MAX_BODY = 1024;
/** @limit stored headers of a response to a notification or a run task request, headers -> the others are not stored */
const MAX_HEADERS = 20;
/**
 * @limit stored length of one header of a response to a notification or a run task request, characters -> the header is
 * truncated
 */
const MAX_HEADER = 256;

/** Statuses besides 500 and above after which a retry may succeed. */
const LATER: ReadonlySet<number> = new Set([408, 421, 425, 429]);

const REASONS: Readonly<Record<FetchErrorKind, string>> = {
  denied:
    'this server does not connect to that URL, because it uses plain HTTP or leads to a blocked network. The operator can allow it with notifications.allowed_addresses',
  timeout: `the receiver did not answer within ${LONGEST_DELIVERY / 1000} seconds`,
  aborted: 'this server was stopped before the receiver answered',
  network: 'the server could not connect, or does not trust the certificate of the receiver',
  redirect: 'the receiver answered with a redirect, which the server does not follow',
  status: 'the answer cannot be read',
  'too-large': 'the answer cannot be read',
  encoding: 'the answer cannot be read',
};
/** Codes of errors that a retry would not fix. */
const FOR_GOOD: ReadonlySet<FetchErrorKind> = new Set(['denied', 'redirect']);

/**
 * Sends messages to URLs that users configure. Refuses plain HTTP and blocked networks (SSRF protection), unless the
 * operator allows the receiver.
 */
export class Sender {
  readonly #fetch: GuardedFetch;
  readonly #authorities: readonly string[];
  readonly #clock: Clock;
  readonly #signatureHeader: string;

  /** @param signatureHeader header for the signature @throws CidrError when an allowed block is invalid */
  constructor(clock: Clock, signatureHeader: string, { allowedAddresses = [], authorities = [] }: SenderOptions = {}) {
    this.#fetch = createTenantFetch(allowedAddresses);
    this.#authorities = authorities;
    this.#clock = clock;
    this.#signatureHeader = signatureHeader;
  }

  /**
   * Sends one message. Never rejects because of the receiver. If the signal aborts the delivery, it is unknown
   * whether the message arrived.
   */
  async send({ url, token, headers: more = {} }: Destination, message: object, signal?: AbortSignal): Promise<Sent> {
    const body = Buffer.from(JSON.stringify(message));
    const headers = {
      ...more,
      'content-type': 'application/json',
      'content-length': String(body.length),
      ...(token !== null && { [this.#signatureHeader]: signature(token, body) }),
    };
    const common = { url, 'sent-at': isoTime(this.#clock()) };
    try {
      const answer = await this.#fetch(url, {
        ...{ method: 'POST', headers, body, authorities: this.#authorities },
        ...{ timeoutMs: LONGEST_DELIVERY, maxBytes: Number.POSITIVE_INFINITY },
        ...(signal && { signal }),
      });
      return await answered(answer, common);
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      const reason = REASONS[error.kind];
      const response = { ...common, body: reason, code: '', headers: {}, successful: 'false' } as const;
      return { response, outcome: FOR_GOOD.has(error.kind) ? 'refused' : 'failed', reason };
    }
  }
}

/** Returns the HMAC-SHA512 of the body bytes in hex. */
function signature(token: string, body: Uint8Array): string {
  return createHmac('sha512', token).update(body).digest('hex');
}

async function answered(answer: HttpResponse, common: Pick<DeliveryResponse, 'url' | 'sent-at'>): Promise<Sent> {
  const { status } = answer;
  const arrived = status >= 200 && status < 300;
  const response: DeliveryResponse = {
    ...common,
    body: await beginningOf(answer),
    code: String(status),
    headers: shownHeaders(answer.headers),
    successful: arrived ? 'true' : 'false',
  };
  if (arrived) return { response, outcome: 'arrived', reason: '' };
  const outcome = status >= 500 || LATER.has(status) ? 'failed' : 'refused';
  return { response, outcome, reason: `the receiver answered with status ${status}` };
}

/** The status has arrived, so errors of the body do not matter. */
async function beginningOf({ body }: HttpResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= MAX_BODY) break;
    }
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
  }
  return Buffer.concat(chunks).subarray(0, MAX_BODY).toString();
}

function shownHeaders(headers: IncomingHttpHeaders): Record<string, string[]> {
  const entries = Object.entries(headers).slice(0, MAX_HEADERS);
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name.slice(0, MAX_HEADER),
      [value ?? []]
        .flat()
        .slice(0, MAX_HEADERS)
        .map((text) => text.slice(0, MAX_HEADER)),
    ]),
  );
}
