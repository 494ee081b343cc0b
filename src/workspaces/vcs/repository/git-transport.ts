import { GitError, type GitErrorKind, type GitTransport } from '../../../git/index.ts';
import { FetchError, type FetchErrorKind } from '../../../lib/http/fetch-error.ts';
import type { GuardedFetch } from '../../../outbound/guarded-fetch.ts';
import { ForwardingError } from '../hooks/forwarding.ts';
import type { GitCredentials } from '../provider/port.ts';

/** @limit duration of one request to a Git server, ms -> the server counts as unreachable */
const TIMEOUT_MS = 5 * 60_000;
/** @limit size of one response of a Git server, bytes -> the repository counts as too large */
const MAX_BYTES = 512 * 1_048_576;
const RESULT = 'application/x-git-upload-pack-result';
const REQUEST = 'application/x-git-upload-pack-request';

const REASONS: Readonly<Record<FetchErrorKind, readonly [GitErrorKind, string]>> = {
  denied: [
    'refused',
    'is not contacted, because it uses plain HTTP or leads to a blocked network. The operator can allow it with vcs.allowed_addresses',
  ],
  timeout: ['unreachable', `did not answer within ${TIMEOUT_MS / 1000} seconds`],
  aborted: ['unreachable', 'was not contacted, because this server stops'],
  network: ['unreachable', 'cannot be reached, or the server does not trust its certificate'],
  redirect: ['refused', 'redirects the request'],
  status: ['unreachable', 'sent a response that cannot be read'],
  'too-large': ['limit', `sent more than ${MAX_BYTES} bytes`],
  encoding: ['invalid', 'sent a response that cannot be read'],
};

/** Options of a transport. */
export interface GitTransportOptions {
  readonly fetch: GuardedFetch;
  /** PEM of CAs that are trusted for Git servers, besides those of the system. */
  readonly authorities: readonly string[];
}

/**
 * Creates the transport to one repository. The credential is sent in a header, never in a URL. A redirect is not
 * followed: the provider tells the URL of a repository, and its requests would lose the credential at another host.
 */
export function gitTransport(
  { fetch, authorities }: GitTransportOptions,
  gitUrl: string,
  { username, password }: GitCredentials,
): GitTransport {
  const base = gitUrl.replace(/\/+$/, '');
  const { host } = new URL(base);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const withCredential: Record<string, string> = username === '' && password === '' ? {} : { authorization };
  return async (path, body) => {
    const headers = {
      'git-protocol': 'version=2',
      ...withCredential,
      ...(body && { 'content-type': REQUEST, accept: RESULT, 'content-length': String(body.length) }),
    };
    const request = { headers, authorities, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES };
    const response = await fetch(`${base}/${path}`, body ? { ...request, method: 'POST', body } : request).catch(
      (error: unknown) => fail(host, error),
    );
    if (response.status !== 200) {
      response.discard();
      throw statusError(host, response.status);
    }
    return readable(host, response.body);
  };
}

/** Converts the errors of a body. It is no generator: one that has not started would not pass on that the reader ends. */
function readable(host: string, body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => {
      const chunks = body[Symbol.asyncIterator]();
      return {
        next: () => chunks.next().catch((error: unknown) => fail(host, error)),
        return: async () => (await chunks.return?.()) ?? { done: true, value: undefined },
      };
    },
  };
}

function fail(host: string, error: unknown): never {
  if (!(error instanceof FetchError)) throw error;
  const [kind, reason] =
    error instanceof ForwardingError ? (['unreachable', error.reason] as const) : REASONS[error.kind];
  throw new GitError(kind, `The Git server ${host} ${reason}`, { cause: error });
}

function statusError(host: string, status: number): GitError {
  if (status === 401 || status === 403) {
    return new GitError(
      'refused',
      `The Git server ${host} refused the credential of the connection (status ${status})`,
    );
  }
  if (status === 404 || status === 410) {
    return new GitError('gone', `The Git server ${host} has no such repository, or the connection may not read it`);
  }
  const kind = status >= 500 || status === 408 || status === 429 ? 'unreachable' : 'invalid';
  return new GitError(kind, `The Git server ${host} answered with status ${status}`);
}
