import type { FetchErrorKind } from '../../../lib/http/fetch-error.ts';
import type { FetchOptions } from '../../../outbound/guarded-fetch.ts';

/** @limit requests of an agent pool that are being forwarded, requests -> a further one fails and is tried again */
export const MAX_IN_FLIGHT = 32;
/** @limit size of a request that agents forward, with its headers and trusted CAs, bytes -> the request fails */
export const MAX_REQUEST_BYTES = 4 * 1_048_576;
/** @limit size of one part of a forwarded response in base64, bytes -> 422 */
export const MAX_PART = 524_288;
/** @limit parts of a forwarded response that wait to be read, parts -> the agent waits before it sends more */
export const MAX_UNREAD_PARTS = 8;
/** @limit time without a part of a forwarded response, ms -> the provider counts as unreachable */
export const SILENT_MS = 60_000;
/** @limit time since an agent last asked for requests to forward, ms -> it does not count as an agent that forwards */
export const FORWARDING_MS = 10 * 60_000;

/** Failures that an agent reports. */
export const FAILURES = [
  ...(['denied', 'timeout', 'network', 'redirect', 'status', 'too-large', 'encoding'] as const),
] satisfies readonly FetchErrorKind[];
/** Reason why an agent did not get the response. */
export type Failure = (typeof FAILURES)[number];

/** A request as it is stored, encrypted, until an agent claims it. */
export interface StoredRequest {
  readonly method: NonNullable<FetchOptions['method']>;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Base64; null for none. */
  readonly body: string | null;
  /** Maximum bytes of the response. */
  readonly maxBytes: number;
  /** PEM of CAs that are trusted besides those of the agent's system. */
  readonly authorities: readonly string[];
}

/** A request that an agent has claimed. */
export interface ClaimedRequest extends StoredRequest {
  readonly id: string;
  /** Time that the agent has for it, milliseconds. */
  readonly timeoutMs: number;
}

/** Part of a response. The first part has the head. */
export interface ResponsePart {
  readonly head?: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | undefined;
  /** Base64. */
  readonly body: string;
  readonly isLast: boolean;
  /** Why the response does not come, or not to its end. */
  readonly failure?: Failure | undefined;
}
