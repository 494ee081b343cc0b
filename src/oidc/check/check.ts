import { fetchDocument, fetchKeys, type IssuerDocument, KeysError, keysAddress } from '../../jwt/index.ts';
import { type Finding, failure, type NamedFinding, skipped, success } from '../../lib/finding/finding.ts';
import { outside, skewFinding } from '../../lib/finding/skew.ts';
import { FetchError } from '../../lib/http/fetch-error.ts';
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts';
import { OidcError } from '../oidc-error.ts';
import { ALGORITHMS, OidcProvider, type OidcProviderOptions } from '../provider.ts';
import { claimsFinding, endpointsFinding, issuerFinding, scopesFinding } from './document.ts';

/** @limit duration of one check of an OIDC provider, ms -> a provider that has not responded counts as unreachable */
const CHECK_MS = 7_000;
/** `Date` has a resolution of one second (RFC 9110 §5.6.7). */
const SECOND = 1_000;
const DISTRUSTED = /CERT|SIGNATURE/;

/** The settings that a sign-in sends to a provider. */
export interface Asked extends Pick<OidcProviderOptions, 'clientId' | 'clientSecret' | 'scopes' | 'claims'> {
  /** The redirect URI of this server. */
  readonly callback: string;
}

/** The provider to check, and how to connect to it. */
export interface CheckedProvider extends Pick<OidcProviderOptions, 'issuer' | 'fetch' | 'authorities'> {
  /** Name of the setting with which an operator allows connections to private networks. */
  readonly opening: string;
  /** Absent: only the provider's documents are checked. */
  readonly asks?: Asked | undefined;
}

/**
 * Checks whether people can sign in with a provider: the steps of a sign-in, except those that need a user. The check
 * changes nothing at the provider. Each finding that is not a success says what to do. Never rejects because of the
 * provider.
 * @param signal cancels the check; a provider without a response counts as unreachable
 */
export async function checkProvider(provider: CheckedProvider, signal?: AbortSignal): Promise<readonly NamedFinding[]> {
  const line = new Line(provider.fetch, signal);
  const place = { type: 'discovery', url: provider.issuer, authorities: provider.authorities.join('\n') } as const;
  const document = await said(fetchDocument(line.fetch, place, line.signal));
  if (document instanceof KeysError) return [{ name: 'address', ...unreached(document, provider) }];
  const issuer = issuerFinding(document, provider.issuer);
  const endpoints = endpointsFinding(document, ALGORITHMS);
  const isRight = issuer.status === 'success' && endpoints.status === 'success';
  const [keys, asked] = await Promise.all([
    keysFinding(document, provider, line),
    provider.asks === undefined ? [] : askedFindings(provider, document, isRight, line),
  ]);
  return [
    { name: 'address', ...success('the discovery document can be read', provider.issuer) },
    { name: 'issuer', ...issuer },
    { name: 'endpoints', ...endpoints },
    { name: 'keys', ...keys },
    ...asked,
    { name: 'clock', ...line.clock() },
  ];
}

async function keysFinding(document: IssuerDocument, provider: CheckedProvider, line: Line): Promise<Finding> {
  // The keys are checked even if the issuer is wrong, so that one check shows all faults.
  const { issuer } = provider;
  const found = await said(
    (async () => {
      const url = keysAddress({ ...document, issuer }, issuer);
      return fetchKeys(line.fetch, { type: 'jwks', url, authorities: provider.authorities.join('\n') }, line.signal);
    })(),
  );
  if (found instanceof KeysError) return unreached(found, provider);
  return success(`${found.keys.length} ${found.keys.length === 1 ? 'key' : 'keys'}`);
}

/** @param isRight whether the documents are valid, so that the client's secret may be sent */
async function askedFindings(
  { asks, issuer, authorities, opening }: CheckedProvider,
  document: IssuerDocument,
  isRight: boolean,
  { fetch }: Line,
): Promise<NamedFinding[]> {
  if (asks === undefined) return [];
  const { callback, ...settings } = asks;
  const tried = new OidcProvider({ ...settings, issuer, authorities, fetch, asksWhen: false, mostAtOnce: 1 });
  return [
    { name: 'scopes', ...scopesFinding(document, asks.scopes) },
    { name: 'claims', ...claimsFinding(document, asks.claims) },
    {
      name: 'client',
      ...(isRight
        ? await clientFinding(tried, callback, opening)
        : skipped('skipped until the findings above are fixed')),
    },
  ];
}

async function clientFinding(provider: OidcProvider, callback: string, opening: string): Promise<Finding> {
  try {
    await provider.begin(callback);
    const isTaken = await provider.takesClient(callback);
    if (isTaken === undefined) return skipped('the provider does not say whether it accepts this client');
    if (isTaken) return success('the provider accepts this client');
    return failure(
      'the provider does not accept this client',
      'Set client id and secret as configured at the provider. A public client has no secret.',
    );
  } catch (error) {
    if (!(error instanceof OidcError)) throw error;
    return error.fault === 'away'
      ? failure(
          'the token endpoint does not answer',
          `Check that this server can reach the endpoint. On a private network, allow it with ${opening}.`,
        )
      : failure(
          'the answer is not valid OpenID Connect',
          'Check the content and the content type of the discovery document and of the token endpoint.',
        );
  }
}

/** Returns the result, or the error if the keys or the document could not be loaded. */
const said = <T>(asked: Promise<T>): Promise<T | KeysError> =>
  asked.catch((error: unknown) => {
    if (error instanceof KeysError) return error;
    throw error;
  });

function unreached(error: KeysError, { issuer, opening }: CheckedProvider): Finding {
  const { cause } = error;
  if (!(cause instanceof FetchError)) return failure(error.message, SPELLED, issuer);
  if (cause.kind === 'denied') {
    return failure(
      error.message,
      `This server may not connect to that network. An operator can allow it with ${opening}.`,
      issuer,
    );
  }
  if (cause.kind === 'timeout') return failure('no answer in time', SPELLED, issuer);
  const code = (cause.cause as NodeJS.ErrnoException | undefined)?.code ?? '';
  const found = code === '' ? error.message : `${error.message}: ${code}`;
  return failure(found, DISTRUSTED.test(code) ? TRUST : SPELLED, issuer);
}

const TRUST = "Set the CA certificate (PEM) that verifies the provider's server, or fix the server's certificate.";
const SPELLED =
  'Check the spelling of the issuer, and that this server can read its /.well-known/openid-configuration and ' +
  'its keys.';

/** Connection to the provider for one check: as in a sign-in, with one deadline for all requests. */
class Line {
  readonly #fetch: GuardedFetch;
  readonly #until = Date.now() + CHECK_MS;
  readonly signal: AbortSignal;
  /** The time in the provider's last response, and the local times before and after that request. */
  #dated: { readonly date: number; readonly from: number; readonly to: number } | undefined;

  constructor(fetch: GuardedFetch, signal = new AbortController().signal) {
    this.#fetch = fetch;
    this.signal = signal;
  }

  readonly fetch: GuardedFetch = async (url, options) => {
    const from = Date.now();
    const timeoutMs = Math.max(1, Math.min(options.timeoutMs, this.#until - from));
    const answer = await this.#fetch(url, { ...options, timeoutMs, maxRedirects: 0, signal: this.signal });
    const { date = '', age = '0' } = answer.headers;
    // A cached response has the time at which it was generated (RFC 9111 §5.1).
    const time = Date.parse(date) + Number(age) * SECOND;
    if (!Number.isNaN(time)) this.#dated = { date: time, from, to: Date.now() };
    return answer;
  };

  clock(): Finding {
    if (this.#dated === undefined) return skipped("the provider's answers have no date");
    const { date, from, to } = this.#dated;
    return skewFinding(outside(date, from - SECOND, to), 'the provider');
  }
}
