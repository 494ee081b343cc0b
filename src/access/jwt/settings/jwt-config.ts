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

/** @limit key sources of a mount, sources -> 400 */
const MAX_PAIRS = 10;
/** @limit a URL or a name in the configuration of a mount, characters -> 400 */
const MAX_TEXT = 2_048;
/** @limit the CA certificates or one public key in the configuration of a mount, characters -> 400 */
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

/** Field of the browser flow, which Lockkeeper does not have. It must be empty. */
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

const NOT_HERE = 'For the browser flow, which Lockkeeper does not support. Must be empty.';

export const CONFIG_FIELDS = described(
  { ...FIELDS, oidc_client_secret: text(), skip_jwks_validation: flag() },
  {
    oidc_discovery_url: 'URL of the issuer, with its OpenID configuration below it.',
    oidc_discovery_ca_pem: "CA certificates (PEM) that verify the issuer's server, in addition to those of the system.",
    jwks_url: "URL of the issuer's keys.",
    jwks_ca_pem: 'CA certificates (PEM) that verify the server of jwks_url, in addition to those of the system.',
    jwks_pairs: 'Several key sources, each with `jwks_url` and `jwks_ca_pem`.',
    jwt_validation_pubkeys: 'Public keys of the issuer, in PEM.',
    jwt_supported_algs: `Accepted signature algorithms. Empty: ${ALGORITHMS.join(', ')}.`,
    bound_issuer: 'Expected iss claim. Empty: oidc_discovery_url if it is set, otherwise any.',
    default_role: 'Role of logins that do not name one.',
    oidc_client_id: NOT_HERE,
    oidc_client_secret: NOT_HERE,
    oidc_response_mode: NOT_HERE,
    oidc_response_types: NOT_HERE,
    provider_config: NOT_HERE,
    namespace_in_state: 'Stored and returned; no effect.',
    skip_jwks_validation: 'Whether to store the configuration even if the keys cannot be fetched.',
  },
);

const { oidc_client_secret: _, skip_jwks_validation: __, ...SHOWN } = shownFields(CONFIG_FIELDS);
export const JwtConfigView = component('JwtConfig', SHOWN, 'The issuer of a mount, and its keys.');

/** Configuration that applies to all roles of a mount. */
export type JwtConfig = Readonly<Values<typeof FIELDS>>;

const INITIAL: JwtConfig = initialValues(FIELDS);

/** Parses the stored configuration. Undefined before the first write. */
export function storedConfig(json: string): JwtConfig | undefined {
  const stored = JSON.parse(json) as Partial<JwtConfig>;
  return Object.keys(stored).length === 0 ? undefined : { ...INITIAL, ...stored };
}

export interface WrittenConfig {
  readonly config: JwtConfig;
  readonly skipsValidation: boolean;
}

/**
 * Parses a write, which replaces the whole configuration: absent fields become empty.
 * @throws AppError bad-request
 */
export function writtenConfig(body: Readonly<Record<string, unknown>>): WrittenConfig {
  const { values } = parseFields(CONFIG_FIELDS, body);
  const { oidc_client_secret: secret = '', skip_jwks_validation: skipsValidation = false, ...named } = values;
  const config: JwtConfig = { ...INITIAL, ...named, default_role: (named.default_role ?? '').toLowerCase() };
  const browser = [secret, config.oidc_client_id, config.oidc_response_mode, ...config.oidc_response_types];
  if (browser.some((value) => value !== ''))
    refuse(
      'the browser flow is not supported: leave oidc_client_id, oidc_client_secret, oidc_response_mode and ' +
        'oidc_response_types empty',
    );
  if (Object.keys(config.provider_config).length > 0)
    refuse("'provider_config' must be empty: providers need no special treatment");
  checkSources(config);
  const unknown = config.jwt_supported_algs.find((algorithm) => !ALGORITHMS.includes(algorithm));
  if (unknown !== undefined) refuse(`invalid supported algorithm; use ${ALGORITHMS.join(', ')}`);
  if ([config.bound_issuer, config.default_role].some(({ length }) => length > MAX_TEXT)) {
    refuse(`'bound_issuer' and 'default_role' may have at most ${MAX_TEXT} characters`);
  }
  return { config, skipsValidation };
}

/** Returns the sources of keys to fetch. Empty if the configuration contains the keys. */
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
  if (pairs.length > MAX_PAIRS) refuse(`'jwks_pairs' may have at most ${MAX_PAIRS} entries`);
  for (const { type, url, authorities } of keyPlaces(config)) {
    if (!isAddress(url))
      refuse(
        'the URL of the keys must be http or https, without user name and password, and have at most ' +
          `${MAX_TEXT} characters`,
      );
    checkAuthorities(type === 'jwks' ? 'jwks_ca_pem' : 'oidc_discovery_ca_pem', authorities);
  }
  checkAuthorities('jwks_ca_pem', config.jwks_ca_pem);
  checkAuthorities('oidc_discovery_ca_pem', config.oidc_discovery_ca_pem);
  if (keys.length > MAX_KEYS) refuse(`'jwt_validation_pubkeys' may have at most ${MAX_KEYS} entries`);
  for (const [at, pem] of keys.entries()) checkKey(pem, at);
}

function isAddress(text: string): boolean {
  const url = text.length <= MAX_TEXT ? URL.parse(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

/** @param field name of the field, for the message */
function checkAuthorities(field: string, pem: string): void {
  if (pem === '') return;
  if (pem.length > MAX_PEM) refuse(`${field} may have at most ${MAX_PEM} characters`);
  try {
    runAtOnce(certificatesIn(pem));
  } catch (error) {
    if (!(error instanceof PemFault)) throw error;
    refuse(`error checking ${field}: ${error.message}`);
  }
}

/** @param at index in the list, starting at 0 */
function checkKey(pem: string, at: number): void {
  if (pem.length <= MAX_PEM && keyFromPem(pem)) return;
  const usable = 'expected PEM of an RSA key of at least 2048 bits, P-256, P-384, P-521 or Ed25519';
  refuse(`error parsing public key: entry ${at + 1} of jwt_validation_pubkeys: ${usable}; ${publicKeyFault(pem)}`);
}

function publicKeyFault(pem: string): string {
  const isKey = pemHeaders(pem).some(({ label }) => /^((RSA )?PUBLIC KEY|CERTIFICATE)$/.test(label));
  if (!isKey || pem.includes('PRIVATE')) return `it is ${textKind(pem, 'public key')}`;
  return firstBlockFault(pem, 'public key') ?? 'it is a key of another type, or cannot be parsed';
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
