import { fetchDocument, fetchKeys, type IssuerDocument, KeysError, keysAddress } from '../../jwt/index.ts';
import { type Finding, failure, type NamedFinding, skipped, success } from '../../lib/finding/finding.ts';
import { outside, skewFinding } from '../../lib/finding/skew.ts';
import { FetchError } from '../../outbound/fetch-error.ts';
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts';
import { OidcError } from '../oidc-error.ts';
import { ALGORITHMS, OidcProvider, type OidcProviderOptions } from '../provider.ts';
import { claimsFinding, endpointsFinding, issuerFinding, scopesFinding } from './document.ts';

/** @limit a check of an OIDC provider, ms -> what has not answered until then is away */
const CHECK_MS = 7_000;
/** `Date` has seconds (RFC 9110 §5.6.7). */
const SECOND = 1_000;
const DISTRUSTED = /CERT|SIGNATURE/;

/** What sign-ins ask of a provider. */
export interface Asked extends Pick<OidcProviderOptions, 'clientId' | 'clientSecret' | 'scopes' | 'claims'> {
  /** Where it sends people back to. */
  readonly callback: string;
}

/** A provider, and how it is reached. */
export interface CheckedProvider extends Pick<OidcProviderOptions, 'issuer' | 'fetch' | 'authorities'> {
  /** The setting by which whoever runs this server lets it reach closed networks. */
  readonly opening: string;
  /** Absent: it is not looked at. */
  readonly asks?: Asked | undefined;
}

/**
 * Whether people could sign in with a provider, step by step as a sign-in goes, as far as that can be known without anybody who signs
 * in. It changes nothing there. Each finding that is no success says what to do. Never rejects for what the provider does.
 * @param signal gives up: what has not answered is away
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
    { name: 'address', ...success('its document can be read', provider.issuer) },
    { name: 'issuer', ...issuer },
    { name: 'endpoints', ...endpoints },
    { name: 'keys', ...keys },
    ...asked,
    { name: 'clock', ...line.clock() },
  ];
}

async function keysFinding(document: IssuerDocument, provider: CheckedProvider, line: Line): Promise<Finding> {
  // Those of another issuer are looked at as well: what else is wrong is told at once.
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

/** @param isRight whether it may be told the secret, and can be asked as a sign-in asks */
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
      ...(isRight ? await clientFinding(tried, callback, opening) : skipped('what is above comes first')),
    },
  ];
}

async function clientFinding(provider: OidcProvider, callback: string, opening: string): Promise<Finding> {
  try {
    await provider.begin(callback);
    const isTaken = await provider.takesClient(callback);
    if (isTaken === undefined) return skipped('it does not say whether it takes this client');
    if (isTaken) return success('it takes this client');
    return failure(
      'it does not take this client',
      'set id and secret as they are there; a public client has no secret',
    );
  } catch (error) {
    if (!(error instanceof OidcError)) throw error;
    return error.fault === 'away'
      ? failure(
          'its token endpoint does not answer',
          `see that this server reaches it; on a closed network: ${opening}`,
        )
      : failure(
          'what it answers is not OpenID Connect',
          'see what its document and its token endpoint say, and as which type of content',
        );
  }
}

/** What came, or why nothing did. */
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
      `its network is closed to this server, unless whoever runs it opens it: ${opening}`,
      issuer,
    );
  }
  if (cause.kind === 'timeout') return failure('no answer in time', SPELLED, issuer);
  const code = (cause.cause as NodeJS.ErrnoException | undefined)?.code ?? '';
  const found = code === '' ? error.message : `${error.message}: ${code}`;
  return failure(found, DISTRUSTED.test(code) ? TRUST : SPELLED, issuer);
}

const TRUST =
  'give the authority that vouches for its certificate along with it, in PEM; or see what is wrong with the certificate';
const SPELLED =
  'see that the issuer is spelled right, and that its /.well-known/openid-configuration and its keys can be read from here';

/** To the provider, for one check: as a sign-in asks, and with an end for all of it. */
class Line {
  readonly #fetch: GuardedFetch;
  readonly #until = Date.now() + CHECK_MS;
  readonly signal: AbortSignal;
  /** What its last answer said of the time, and between which times it came. */
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
    // What stands in a cache bears the time at which it was made (RFC 9111 §5.1).
    const time = Date.parse(date) + Number(age) * SECOND;
    if (!Number.isNaN(time)) this.#dated = { date: time, from, to: Date.now() };
    return answer;
  };

  clock(): Finding {
    if (this.#dated === undefined) return skipped('it does not say what time it has');
    const { date, from, to } = this.#dated;
    return skewFinding(outside(date, from - SECOND, to), 'the provider');
  }
}
