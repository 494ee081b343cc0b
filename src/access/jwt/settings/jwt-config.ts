import { ALGORITHMS, type KeyPlace, keyFromPem, MAX_KEYS } from '../../../jwt/index.ts';
import { AppError } from '../../../lib/errors.ts';
import { pemHeaders } from '../../../lib/pem/pem-blocks.ts';
import { firstBlockFault, PemFault } from '../../../lib/pem/read-blocks.ts';
import { textKind } from '../../../lib/pem/text-kind.ts';
import { runAtOnce } from '../../../lib/slices.ts';
import { certificatesIn } from '../../operation/certificate-text.ts';
import {
  described,
  type Field,
  FieldError,
  type FieldSet,
  flag,
  initialValues,
  listOrEmpty,
  parseFields,
  pem,
  text,
  type Values,
} from '../../operation/fields.ts';
import { component, shownFields } from '../../operation/schema.ts';
import { objectOf } from './map-fields.ts';

/** @limit places of keys of a mount, places -> 400 */
const MAX_PAIRS = 10;
/** @limit an address or a name in the configuration of a mount, characters -> 400 */
const MAX_TEXT = 2_048;
/** @limit the authorities, or a public key, in the configuration of a mount, characters -> 400 */
const MAX_PEM = 65_536;

interface Pair {
  readonly jwks_url: string;
  readonly jwks_ca_pem: string;
}

const pairList: Field<readonly Pair[]> = {
  initial: [],
  schema: { type: 'array', items: { type: 'object' } },
  nested: { jwks_url: text(), jwks_ca_pem: text() },
  parse: (value) => {
    const list = typeof value === 'string' && value.trim() !== '' ? parseList(value) : value || [];
    if (!Array.isArray(list)) throw new FieldError('expected a list');
    return list.map(asPair);
  },
};

/** There is no browser flow: what is for it has to be empty. */
const none: Field<Readonly<Record<string, unknown>>> = {
  initial: {},
  schema: { type: 'object' },
  parse: (value) => (value === null ? {} : objectOf(value)),
};

const FIELDS = {
  oidc_discovery_url: text(),
  oidc_discovery_ca_pem: pem(),
  jwks_url: text(),
  jwks_ca_pem: pem(),
  jwks_pairs: pairList,
  jwt_validation_pubkeys: listOrEmpty(),
  jwt_supported_algs: listOrEmpty(),
  bound_issuer: text(),
  default_role: text(),
  oidc_client_id: text(),
  oidc_response_mode: text(),
  oidc_response_types: listOrEmpty(),
  provider_config: none,
  namespace_in_state: flag(),
} satisfies FieldSet;

const NOT_HERE = 'For sign-in by browser, which is not there: empty.';

export const CONFIG_FIELDS = described(
  { ...FIELDS, oidc_client_secret: text(), skip_jwks_validation: flag() },
  {
    oidc_discovery_url: 'The address of the issuer, below which its OpenID configuration is.',
    oidc_discovery_ca_pem: 'Authorities that vouch for its server, in PEM, beside those of the system.',
    jwks_url: 'Where the keys of the issuer are.',
    jwks_ca_pem: 'Authorities that vouch for the server of jwks_url, in PEM, beside those of the system.',
    jwks_pairs: 'Several such places, each with `jwks_url` and `jwks_ca_pem`.',
    jwt_validation_pubkeys: 'Public keys of the issuer, in PEM.',
    jwt_supported_algs: `Algorithms of signatures that are taken. Empty: ${ALGORITHMS.join(', ')}.`,
    bound_issuer: 'What the iss claim has to be. Empty: what oidc_discovery_url says, or anything.',
    default_role: 'The role of logins that name none.',
    oidc_client_id: NOT_HERE,
    oidc_client_secret: NOT_HERE,
    oidc_response_mode: NOT_HERE,
    oidc_response_types: NOT_HERE,
    provider_config: NOT_HERE,
    namespace_in_state: 'Kept and shown.',
    skip_jwks_validation: 'Whether it is stored although the keys cannot be fetched.',
  },
);

const { oidc_client_secret: _, skip_jwks_validation: __, ...SHOWN } = shownFields(CONFIG_FIELDS);
export const JwtConfigView = component('JwtConfig', SHOWN, 'Whose tokens a mount knows, and by which keys.');

/** What holds for every role of a mount. */
export type JwtConfig = Readonly<Values<typeof FIELDS>>;

const INITIAL: JwtConfig = initialValues(FIELDS);

/** Undefined as long as nobody has said anything. */
export function storedConfig(json: string): JwtConfig | undefined {
  const stored = JSON.parse(json) as Partial<JwtConfig>;
  return Object.keys(stored).length === 0 ? undefined : { ...INITIAL, ...stored };
}

export interface WrittenConfig {
  readonly config: JwtConfig;
  readonly skipsValidation: boolean;
}

/**
 * A write is the whole of it: what it does not name is empty then.
 * @throws AppError bad-request
 */
export function writtenConfig(body: Readonly<Record<string, unknown>>): WrittenConfig {
  const { values } = parseFields(CONFIG_FIELDS, body);
  const { oidc_client_secret: secret = '', skip_jwks_validation: skipsValidation = false, ...named } = values;
  const config: JwtConfig = { ...INITIAL, ...named, default_role: (named.default_role ?? '').toLowerCase() };
  const browser = [secret, config.oidc_client_id, config.oidc_response_mode, ...config.oidc_response_types];
  if (browser.some((value) => value !== ''))
    refuse('there is no sign-in by browser here: oidc_client_id and what is like it must be empty');
  if (Object.keys(config.provider_config).length > 0)
    refuse("'provider_config' must be empty: no provider is treated differently");
  checkSources(config);
  const unknown = config.jwt_supported_algs.find((algorithm) => !ALGORITHMS.includes(algorithm));
  if (unknown !== undefined) refuse(`invalid supported algorithm; there are ${ALGORITHMS.join(', ')}`);
  if ([config.bound_issuer, config.default_role].some(({ length }) => length > MAX_TEXT)) {
    refuse(`'bound_issuer' and 'default_role' have at most ${MAX_TEXT} characters`);
  }
  return { config, skipsValidation };
}

/** Where the keys are to be fetched; none where they are written down. */
export function keyPlaces(config: JwtConfig): readonly KeyPlace[] {
  const { oidc_discovery_url: discovery, oidc_discovery_ca_pem: discoveryCa, jwks_url: url, jwks_ca_pem: ca } = config;
  if (discovery !== '') return [{ type: 'discovery', url: discovery, authorities: discoveryCa }];
  const pairs = url === '' ? config.jwks_pairs : [{ jwks_url: url, jwks_ca_pem: ca }];
  return pairs.map((pair) => ({ type: 'jwks', url: pair.jwks_url, authorities: pair.jwks_ca_pem }));
}

function checkSources(config: JwtConfig): void {
  const { jwks_pairs: pairs, jwt_validation_pubkeys: keys } = config;
  const given = [config.oidc_discovery_url, config.jwks_url, pairs.length > 0, keys.length > 0].filter(Boolean);
  if (given.length !== 1) {
    refuse("exactly one of 'jwt_validation_pubkeys', 'jwks_url', 'jwks_pairs' or 'oidc_discovery_url' must be set");
  }
  if (pairs.length > MAX_PAIRS) refuse(`'jwks_pairs' has at most ${MAX_PAIRS} entries`);
  for (const { type, url, authorities } of keyPlaces(config)) {
    if (!isAddress(url))
      refuse(`an address of keys is http or https, without a name and a password, of at most ${MAX_TEXT} characters`);
    checkAuthorities(type === 'jwks' ? 'jwks_ca_pem' : 'oidc_discovery_ca_pem', authorities);
  }
  checkAuthorities('jwks_ca_pem', config.jwks_ca_pem);
  checkAuthorities('oidc_discovery_ca_pem', config.oidc_discovery_ca_pem);
  if (keys.length > MAX_KEYS) refuse(`'jwt_validation_pubkeys' has at most ${MAX_KEYS} entries`);
  for (const [at, pem] of keys.entries()) checkKey(pem, at);
}

function isAddress(text: string): boolean {
  const url = text.length <= MAX_TEXT ? URL.parse(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

/** @param field whose value it is */
function checkAuthorities(field: string, pem: string): void {
  if (pem === '') return;
  if (pem.length > MAX_PEM) refuse(`authorities have at most ${MAX_PEM} characters`);
  try {
    runAtOnce(certificatesIn(pem));
  } catch (error) {
    if (!(error instanceof PemFault)) throw error;
    refuse(`error checking ${field}: ${error.message}`);
  }
}

/** @param at its place in the list, from 0 on */
function checkKey(pem: string, at: number): void {
  if (pem.length <= MAX_PEM && keyFromPem(pem)) return;
  const usable = 'expected PEM of RSA from 2048 bits, of P-256, P-384, P-521 or Ed25519';
  refuse(`error parsing public key: entry ${at + 1} of jwt_validation_pubkeys: ${usable}; ${publicKeyFault(pem)}`);
}

function publicKeyFault(pem: string): string {
  const isKey = pemHeaders(pem).some(({ label }) => /^((RSA )?PUBLIC KEY|CERTIFICATE)$/.test(label));
  if (!isKey || pem.includes('PRIVATE')) return `it is ${textKind(pem, 'public key')}`;
  return firstBlockFault(pem, 'public key') ?? 'it is a key of another kind, or cannot be read';
}

function asPair(value: unknown): Pair {
  const { jwks_url: url, jwks_ca_pem: ca = '' } = objectOf(value);
  if (typeof url !== 'string' || typeof ca !== 'string')
    throw new FieldError('expected objects with jwks_url and jwks_ca_pem');
  return { jwks_url: url, jwks_ca_pem: ca };
}

function parseList(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FieldError('expected a list');
  }
}

function refuse(message: string): never {
  throw new AppError('bad-request', message);
}
