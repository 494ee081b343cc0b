import type { FetchError, FetchErrorKind } from '../../../../lib/http/fetch-error.ts';
import { ForwardingError } from '../../hooks/forwarding.ts';
import { ProviderError, type ProviderErrorKind } from '../provider-error.ts';
import { messageText } from '../text.ts';
import { retryAfter } from './rate-limit.ts';

/** @limit duration of one request to a VCS provider, ms -> the provider counts as unreachable */
export const TIMEOUT_MS = 10_000;
/**
 * Parsing must not block the server's thread. A page of 100 repositories has some 650 kB.
 * @limit size of one response of a VCS provider, bytes -> the response counts as invalid
 */
export const MAX_BYTES = 2 * 1024 * 1024;

const REASONS: Readonly<Record<FetchErrorKind, string>> = {
  denied:
    'is not contacted, because it uses plain HTTP or leads to a blocked network. The operator can allow it with vcs.allowed_addresses',
  timeout: `did not answer within ${TIMEOUT_MS / 1000} seconds`,
  aborted: 'was not contacted, because this server stops',
  network: 'cannot be reached, or the server does not trust its certificate',
  redirect: 'redirects the request',
  status: 'sent a response that cannot be read',
  'too-large': `sent more than ${MAX_BYTES} bytes`,
  encoding: 'sent a response that cannot be read',
};
const INVALID: ReadonlySet<FetchErrorKind> = new Set(['redirect', 'status', 'too-large', 'encoding']);

/** Statuses below 500 that have a kind of their own. All others below 500: rejected. */
const KINDS: Readonly<Record<number, ProviderErrorKind>> = {
  401: 'refused',
  403: 'forbidden',
  408: 'unreachable',
  421: 'unreachable',
  425: 'unreachable',
  429: 'limited',
};
const SERVER_FAULT = 500;
/** A shorter text is no secret, and could be a word of the message. */
const SHORTEST_SECRET = 8;

/** Converts the failure of a connection. */
export function connectionError(host: string, error: FetchError): ProviderError {
  const kind = INVALID.has(error.kind) ? 'invalid' : 'unreachable';
  const reason = error instanceof ForwardingError ? error.reason : REASONS[error.kind];
  return new ProviderError(kind, `${host} ${reason}`, { cause: error });
}

/** Returns whether a response was larger than the server reads. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof ProviderError && (error.cause as FetchError | undefined)?.kind === 'too-large';
}

/** Creates the error for a successful response that is not JSON. */
export function unreadable(host: string, headers: Readonly<Record<string, string>>): ProviderError {
  const what = headers['content-type']?.startsWith('text/html')
    ? 'a web page instead of JSON'
    : 'a response that is not JSON';
  return new ProviderError('invalid', `${host} sent ${what}. Check the API URL of the connection`);
}

interface FailedResponse {
  readonly host: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: unknown;
  /** Texts of the request that the message must not have. */
  readonly secrets: readonly string[];
}

/** Converts a response whose status is no success. */
export function statusError({ host, status, headers, json, secrets }: FailedResponse, now: number): ProviderError {
  const kind = KINDS[status] ?? (status >= SERVER_FAULT ? 'unreachable' : status >= 400 ? 'rejected' : 'invalid');
  const said = withoutSecrets(messageOf(json), secrets);
  const until = retryAfter(headers, now);
  const message = `${host} answered with status ${status}${said && `: ${said}`}`;
  return new ProviderError(kind, message, until === undefined ? {} : { retryAfterMs: Math.max(until - now, 0) });
}

function withoutSecrets(message: string, secrets: readonly string[]): string {
  return secrets.some((secret) => secret.length >= SHORTEST_SECRET && message.includes(secret)) ? '' : message;
}

/** Finds the message in the bodies that providers send with an error. */
function messageOf(json: unknown): string {
  const { message, error, error_description: description, errors } = membersOf(json);
  const main = [message, description, error, membersOf(error).message].find((text) => typeof text === 'string') ?? '';
  const first = Array.isArray(errors) ? errors[0] : undefined;
  const detail = [first, membersOf(first).message].find((text) => typeof text === 'string') ?? '';
  const parts = [main, detail].map(messageText);
  return messageText(parts.filter((text) => text !== '').join(': '));
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
