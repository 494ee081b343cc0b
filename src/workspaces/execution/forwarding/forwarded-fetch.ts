import type { BackgroundWork } from '../../../lib/background/background-work.ts';
import type { Clock } from '../../../lib/clock.ts';
import { FetchError } from '../../../lib/http/fetch-error.ts';
import type { HttpResponse } from '../../../lib/http/http-request.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { FetchOptions, GuardedFetch } from '../../../outbound/guarded-fetch.ts';
import { type Database, type Keyring, type Signals, Waits } from '../../../storage/index.ts';
import { type Forwarding, ForwardingError } from '../../vcs/index.ts';
import { SILENCE } from '../agent-pool/agent.ts';
import {
  type Failure,
  FORWARDING_MS,
  MAX_IN_FLIGHT,
  MAX_REQUEST_BYTES,
  type ResponsePart,
  SILENT_MS,
  type StoredRequest,
} from './forwarding.ts';
import * as store from './store.ts';
import { topics } from './topics.ts';

/** @limit requests of one process that wait for an agent's response, requests -> further ones fail */
const MOST_WAITING = 2_000;
const NEVER = new AbortController().signal;

/** Dependencies of `ForwardedFetch`. */
export interface ForwardedFetchOptions {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly signals: Signals;
}

/** A request that waits for its response. */
interface Sent {
  readonly id: string;
  readonly pool: string;
  /** Time of `performance.now()` at which the time is over. */
  readonly until: number;
  readonly options: FetchOptions;
  /** Aborted when nobody reads the response any more. */
  readonly over: AbortController;
}

/**
 * Sends requests through the agents of a pool. A request is a row that one agent claims, and its response is rows that
 * the agent adds part by part: so the agent may talk to any node, and at most some parts are stored at a time.
 */
export class ForwardedFetch implements Forwarding, BackgroundWork {
  readonly tasks = [];
  readonly #options: ForwardedFetchOptions;
  readonly #waits: Waits;

  constructor(options: ForwardedFetchOptions) {
    this.#options = options;
    this.#waits = new Waits(options.signals, MOST_WAITING);
  }

  start(): void {}

  stop(): void {
    this.#waits.stop();
  }

  fetchThrough(agentPoolId: string): GuardedFetch {
    return async (url, options) => {
      const sent = await this.#send(agentPoolId, url, options);
      try {
        return this.#response(sent, await this.#nextPart(sent, 0));
      } catch (error) {
        await this.#forget(sent);
        throw error;
      }
    };
  }

  /** Stores the request, and wakes the agents of the pool. */
  async #send(agentPoolId: string, url: string, options: FetchOptions): Promise<Sent> {
    const { clock, database, keyring, signals } = this.#options;
    const { timeoutMs } = options;
    const until = performance.now() + timeoutMs;
    const now = clock();
    const id = prefixedId('fwd', now);
    const request = keyring.encrypt(serialized(url, options), store.requestContext(id));
    const pool = await database.transaction(async (tx) => {
      const since = { silentSince: now - SILENCE, forwardsSince: now - FORWARDING_MS };
      const found = await store.findPool(tx, agentPoolId, since);
      if (found === undefined) throw new ForwardingError('is not contacted, because its agent pool was deleted');
      assertForwarding(found);
      if ((await store.countInFlight(tx, agentPoolId, now)) >= MAX_IN_FLIGHT) {
        throw new ForwardingError(`is not contacted, because the agents of the pool ${found.name} are busy`);
      }
      await store.insertRequest(tx, { id, agentPoolId, request, now, deadline: now + timeoutMs });
      signals.send(tx, topics.unclaimed(agentPoolId));
      return found.name;
    });
    return { id, pool, until, options, over: new AbortController() };
  }

  #response(sent: Sent, first: ResponsePart): HttpResponse {
    const { pool } = sent;
    if (first.failure !== undefined) throw failureOf(first.failure, sent);
    if (first.head === undefined) throw new ForwardingError(`sent no response through the agent of the pool ${pool}`);
    // A failure leaves the row to the sweep.
    const discard = () => void this.#forget(sent).catch(() => {});
    const body = closing(this.#body(sent, first), discard);
    const bytes = async () => {
      const pieces: Uint8Array[] = [];
      for await (const piece of body) pieces.push(piece);
      return Buffer.concat(pieces);
    };
    return { ...first.head, body, bytes, discard };
  }

  async *#body(sent: Sent, first: ResponsePart): AsyncGenerator<Uint8Array> {
    const { maxBytes } = sent.options;
    let part = first;
    try {
      for (let [number, size] = [1, 0]; ; number++) {
        const bytes = Buffer.from(part.body, 'base64');
        size += bytes.length;
        if (size > maxBytes) throw tooLarge(maxBytes);
        if (bytes.length > 0) yield bytes;
        if (part.failure !== undefined) throw failureOf(part.failure, sent);
        if (part.isLast) return;
        part = await this.#nextPart(sent, number);
      }
    } finally {
      await this.#forget(sent);
    }
  }

  /** Waits for a part. @throws FetchError */
  async #nextPart({ id, pool, until, options, over }: Sent, number: number): Promise<ResponsePart> {
    const { timeoutMs } = options;
    const signal = AbortSignal.any([options.signal ?? NEVER, over.signal]);
    const milliseconds = Math.ceil(Math.min(Math.max(until - performance.now(), 0), SILENT_MS));
    const waiter = { key: Symbol(id), topic: topics.sent(id), milliseconds, signal };
    const part = await this.#waits.until(waiter, () => this.#take(id, number));
    if (part !== undefined) return part;
    if (signal.aborted) throw new FetchError('aborted', 'the request was aborted', { cause: signal.reason });
    const within = `within ${Math.ceil(Math.min(timeoutMs, SILENT_MS) / 1000)} seconds`;
    const isClaimed = await store.isClaimed(this.#options.database, id);
    if (isClaimed) throw new ForwardingError(`did not answer through the agent of the pool ${pool} ${within}`);
    throw new ForwardingError(`was not contacted, because no agent of the pool ${pool} took the request ${within}`);
  }

  async #take(id: string, number: number): Promise<ResponsePart | undefined> {
    const { database, keyring, signals } = this.#options;
    if (!(await store.hasPart(database, id, number))) return undefined;
    const sealed = await database.transaction(async (tx) => {
      signals.send(tx, topics.taken(id));
      return await store.takePart(tx, id, number);
    });
    if (sealed === undefined) return undefined;
    const text = Buffer.from(keyring.decrypt(sealed, store.partContext(id, number))).toString();
    return JSON.parse(text) as ResponsePart;
  }

  /** Deletes the request, and wakes its agent, which may wait to send more. */
  async #forget({ id, over }: Sent): Promise<void> {
    const { database, signals } = this.#options;
    over.abort();
    await database.transaction(async (tx) => {
      signals.send(tx, topics.taken(id));
      await store.deleteRequest(tx, id);
    });
  }
}

/**
 * Forgets the request at once when its reader ends. A generator ignores `return` before it starts and delays it while
 * it waits for a part.
 */
function closing(body: AsyncGenerator<Uint8Array>, discard: () => void): AsyncIterable<Uint8Array> {
  const end = body.return.bind(body);
  body.return = (value) => {
    discard();
    return end(value);
  };
  return body;
}

function serialized(
  url: string,
  { method = 'GET', headers = {}, body, maxBytes, authorities = [] }: FetchOptions,
): Buffer {
  const request: StoredRequest = {
    ...{ method, url, headers, maxBytes, authorities },
    body: body === undefined ? null : Buffer.from(body).toString('base64'),
  };
  const bytes = Buffer.from(JSON.stringify(request));
  if (bytes.length <= MAX_REQUEST_BYTES) return bytes;
  throw new ForwardingError(`is not contacted, because the request has more than ${MAX_REQUEST_BYTES} bytes`);
}

function assertForwarding(pool: { readonly name: string; readonly connected: number; readonly forwarding: number }) {
  if (Number(pool.connected) === 0) {
    throw new ForwardingError(`cannot be reached, because no agent of the pool ${pool.name} is connected`);
  }
  if (Number(pool.forwarding) === 0) {
    throw new ForwardingError(
      `cannot be reached, because no connected agent of the pool ${pool.name} forwards requests. Start an agent with forward_hosts`,
    );
  }
}

/** Words for failures that this server would describe by its own settings and network. */
function failureOf(failure: Failure, { pool, options }: Sent): FetchError {
  if (failure === 'denied') {
    return new ForwardingError(
      `is not contacted by the agents of the pool ${pool}, because their setting forward_hosts does not allow it`,
    );
  }
  if (failure === 'network') {
    return new ForwardingError(
      `cannot be reached by the agents of the pool ${pool}, or they do not trust its certificate`,
    );
  }
  if (failure === 'too-large') return tooLarge(options.maxBytes);
  return new FetchError(failure, `an agent of the pool ${pool} reported: ${failure}`);
}

const tooLarge = (maxBytes: number) =>
  new FetchError('too-large', `the response is larger than ${maxBytes} bytes`, { maxBytes });
