import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Clock, isoTime } from '../../../lib/clock.ts';
import { FetchError, type FetchErrorKind } from '../../../outbound/fetch-error.ts';
import type { FetchResponse, GuardedFetch } from '../../../outbound/guarded-fetch.ts';
import { createTenantFetch } from '../../../outbound/tenant-fetch.ts';

/** What came back for one message, as the wire has it: all of it is text. */
export interface DeliveryResponse {
  readonly url: string;
  /** Of a message that was not answered: why. */
  readonly body: string;
  /** The status; empty when there was no answer. */
  readonly code: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly 'sent-at': string;
  readonly successful: 'true' | 'false';
}

/** Where a message goes. */
export interface Destination {
  readonly url: string;
  /** Signs it. Null for none. */
  readonly token: string | null;
}

/** Where messages may go. */
export interface SenderOptions {
  /** Host names, addresses and CIDR blocks that are sent to although they are closed, over plain HTTP too. */
  readonly allowedAddresses?: readonly string[];
  /** PEM of authorities that vouch for receivers, beside those of the system. */
  readonly authorities?: readonly string[];
}

/** What became of a message. */
export interface Sent {
  /** For whoever keeps it. */
  readonly response: DeliveryResponse;
  /** arrived: with a status from 200 to 299. refused: the same message would fare no better. failed: it may, later. */
  readonly outcome: 'arrived' | 'refused' | 'failed';
  /** Of one that has not arrived, for its owner: names no address that was not known before. */
  readonly reason: string;
}

/**
 * For all of one message, the answer included.
 * @limit a notification or a request of a run task on its way, ms -> it counts as not answered
 */
export const LONGEST_DELIVERY = 10_000;
/** @limit what is kept of an answer to a notification or a run task, bytes -> the rest is not read */
const MAX_BODY = 1024;
/** @limit headers that are kept of an answer to a notification or a run task, headers -> the others are not kept */
const MAX_HEADERS = 20;
/** @limit a header that is kept of an answer to a notification or a run task, characters -> it is cut */
const MAX_HEADER = 256;

/** Statuses after which the same message may be taken, besides those from 500 on. */
const LATER: ReadonlySet<number> = new Set([408, 421, 425, 429]);

const REASONS: Readonly<Record<FetchErrorKind, string>> = {
  denied:
    'this server does not connect to that address: it is plain HTTP, or leads to a network that is closed. Its operator can open it (notifications.allowed_addresses)',
  timeout: `there was no answer within ${LONGEST_DELIVERY / 1000} seconds`,
  aborted: 'this server was stopped before there was an answer',
  network: 'no connection to it could be made, or its certificate is not trusted',
  redirect: 'it answers with a redirect, which is not followed',
  status: 'its answer cannot be read',
  'too-large': 'its answer cannot be read',
  encoding: 'its answer cannot be read',
};
/** Another time would change nothing. */
const FOR_GOOD: ReadonlySet<FetchErrorKind> = new Set(['denied', 'redirect']);

/** Sends messages to the addresses that users name. Over https alone, and to no closed network, unless the operator allows it. */
export class Sender {
  readonly #fetch: GuardedFetch;
  readonly #authorities: readonly string[];
  readonly #clock: Clock;
  readonly #signatureHeader: string;

  /**
   * @param signatureHeader what the signature is sent in
   * @throws CidrError when an allowed block is none
   */
  constructor(clock: Clock, signatureHeader: string, { allowedAddresses = [], authorities = [] }: SenderOptions = {}) {
    this.#fetch = createTenantFetch(allowedAddresses);
    this.#authorities = authorities;
    this.#clock = clock;
    this.#signatureHeader = signatureHeader;
  }

  /** Never rejects for what the receiver does. With a signal that is given, it is given up: nobody knows whether it arrived. */
  async send({ url, token }: Destination, message: object, signal?: AbortSignal): Promise<Sent> {
    const body = Buffer.from(JSON.stringify(message));
    const headers = {
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

/** HMAC-SHA512 of the bytes of the body, in hex (facts §6.13, §6.14). */
function signature(token: string, body: Uint8Array): string {
  return createHmac('sha512', token).update(body).digest('hex');
}

async function answered(answer: FetchResponse, common: Pick<DeliveryResponse, 'url' | 'sent-at'>): Promise<Sent> {
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
  return { response, outcome, reason: `it answers with status ${status}` };
}

/** The status has come: what happens to the body changes nothing. */
async function beginningOf({ body }: FetchResponse): Promise<string> {
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
