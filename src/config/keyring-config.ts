import Type, { type Static } from 'typebox';
import { ConfigError } from './config-error.ts';
import { type SecretConfig, toSecret } from './secret-config.ts';
import { defaulted, duration, type Given, optional, path, secret, setting } from './setting.ts';

const text = (most: number, allowed: string, description: string) =>
  optional(Type.String({ minLength: 1, maxLength: most, pattern: '^[ -~]+$' }), allowed, description);
const secretText = (description: string) =>
  secret(Type.String({ minLength: 1, maxLength: 4096, pattern: '^[!-~]+$' }), 'text', description);
const mount = (initial: string, description: string) =>
  defaulted(
    Type.String({ pattern: '^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*$', maxLength: 254, default: initial }),
    'a path without / at its ends',
    description,
  );

/** Wrapping of the keyring. `keyring-config.ts` assigns the keys to the types. */
export const keyringWrap = Type.Object(
  {
    type: setting(
      Type.Enum(['credential', 'transit', 'aws-kms', 'pkcs11']),
      'credential, transit, aws-kms, pkcs11',
      'Service that wraps the keys in `keyring_file`, so that the file alone decrypts nothing. The server then refuses a file that is not wrapped.',
    ),
    recovery_recipients: defaulted(
      Type.Array(Type.String({ pattern: '^MCowBQYDK2VuAyEA[A-Za-z0-9+/]{43}=$' }), {
        maxItems: 8,
        uniqueItems: true,
        default: [],
      }),
      'up to 8 public keys, as `lockkeeper keyring recovery-key` prints them',
      'Recovery keys. Their private keys can open the file if the wrapping service is lost (`lockkeeper keyring recover`).',
    ),
    wait: duration(
      '30s',
      'Time that a start or a command retries while the wrapping service does not answer; up to 45s.',
    ),
    credential: optional(
      Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,253}$' }),
      'the name of a credential',
      'credential: name of the wrapping key in the folder $CREDENTIALS_DIRECTORY of systemd (`LoadCredentialEncrypted=`).',
    ),
    key_file: Type.Optional(
      path(
        'credential: path of the wrapping key, if systemd does not provide it. The file holds 32 random bytes in base64.',
      ),
    ),
    address: optional(
      Type.String({ pattern: '^https?://[^/?#@\\s]+/?$', maxLength: 2048 }),
      'https://HOST:PORT; http for an agent on this machine',
      'transit: URL of Vault, OpenBao or one of their agents.',
    ),
    mount: mount('transit', 'transit: mount path of the secrets engine.'),
    key: text(
      2048,
      'a name; aws-kms: an id, ARN or alias/NAME',
      'Key. transit: its name. aws-kms: its ID, ARN or alias. pkcs11: its label on the token.',
    ),
    namespace: text(254, 'a path', 'transit: namespace of the engine.'),
    authorities_file: Type.Optional(
      path("transit: PEM file with the CA certificates that verify the server, instead of the system's."),
    ),
    token_file: Type.Optional(
      path('transit: file with the token in one line. Read at each use, so that the token can be rotated.'),
    ),
    token: secretText(
      'transit: the token as text. Prefer LOCKKEEPER_KEYRING_WRAP_TOKEN to writing it into the configuration file.',
    ),
    certificate_file: Type.Optional(
      path('transit: PEM file with a client certificate and its intermediates, to log in instead of using a token.'),
    ),
    private_key_file: Type.Optional(path('transit: PEM file with the private key of the certificate.')),
    login_mount: mount('cert', 'transit: mount path of the certificate auth method.'),
    login_role: text(254, 'a name', 'transit: role to log in with. Default: any role that accepts the certificate.'),
    region: optional(
      Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$' }),
      'a region such as eu-central-1',
      'aws-kms: region of the key.',
    ),
    endpoint: optional(
      Type.String({ pattern: '^https?://[^/?#@\\s]+/?$', maxLength: 2048 }),
      'https://HOST:PORT',
      'aws-kms: endpoint of the server. Default: AWS in the region.',
    ),
    access_key_id: text(
      256,
      'text',
      "aws-kms: ID of the access key. Default: the AWS client's credential chain (environment, profile, role of the machine).",
    ),
    secret_access_key_file: Type.Optional(path('aws-kms: file with the secret access key in one line.')),
    secret_access_key: secretText(
      'aws-kms: the secret access key as text. Prefer LOCKKEEPER_KEYRING_WRAP_SECRET_ACCESS_KEY to writing it into the configuration file.',
    ),
    module: Type.Optional(
      path('pkcs11: the library of the vendor (.so). The package pkcs11js must be installed beside lockkeeper.'),
    ),
    token_label: text(32, 'up to 32 characters', 'pkcs11: label of the token that holds the key.'),
    mechanism: defaulted(
      Type.Enum(['aes-key-wrap', 'rsa-oaep'], { default: 'aes-key-wrap' }),
      'aes-key-wrap (CKM_AES_KEY_WRAP), rsa-oaep (CKM_RSA_PKCS_OAEP)',
      'pkcs11: mechanism of the key.',
    ),
    hash: defaulted(Type.Enum(['sha1', 'sha256'], { default: 'sha256' }), 'sha1, sha256', 'pkcs11: hash of rsa-oaep.'),
    pin_file: Type.Optional(path('pkcs11: file with the user PIN in one line.')),
    pin: secretText(
      'pkcs11: the user PIN as text. Prefer LOCKKEEPER_KEYRING_WRAP_PIN to writing it into the configuration file.',
    ),
  },
  { additionalProperties: false },
);

/** Location of the keyring and its wrapping. A secret is given as text or in a file. */
export interface KeyringConfig {
  readonly file: string;
  /** Wrapping of the keyring. If absent, the keyring is not wrapped. */
  readonly wrap?: {
    readonly by: WrapConfig;
    readonly recipients: readonly string[];
    readonly waitSeconds: number;
  };
}

type WrapConfig =
  | { readonly type: 'credential'; readonly key: { readonly name: string } | { readonly file: string } }
  | {
      readonly type: 'transit';
      readonly address: string;
      readonly mount: string;
      readonly key: string;
      readonly namespace?: string;
      readonly authoritiesFile?: string;
      readonly login?: { readonly token: SecretConfig } | CertificateLogin;
    }
  | {
      readonly type: 'aws-kms';
      readonly key: string;
      readonly region: string;
      readonly endpoint?: string;
      readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: SecretConfig };
    }
  | {
      readonly type: 'pkcs11';
      readonly module: string;
      readonly tokenLabel: string;
      readonly key: string;
      readonly mechanism: 'aes-key-wrap' | 'rsa-oaep';
      readonly hash: 'sha1' | 'sha256';
      readonly pin: SecretConfig;
    };

interface CertificateLogin {
  readonly certificateFile: string;
  readonly privateKeyFile: string;
  readonly mount: string;
  readonly role?: string;
}

type Tree = Static<typeof keyringWrap>;
type At = (path: string) => string;

/** Settings of each type, in addition to the common ones. */
const KEYS: Readonly<Record<Tree['type'], readonly (keyof Tree)[]>> = {
  credential: ['credential', 'key_file'],
  transit: [
    ...(['address', 'mount', 'key', 'namespace', 'authorities_file', 'token', 'token_file'] as const),
    ...(['certificate_file', 'private_key_file', 'login_mount', 'login_role'] as const),
  ],
  'aws-kms': ['key', 'region', 'endpoint', 'access_key_id', 'secret_access_key', 'secret_access_key_file'],
  pkcs11: ['module', 'token_label', 'key', 'mechanism', 'hash', 'pin', 'pin_file'],
};
const OF_ALL: readonly (keyof Tree)[] = ['type', 'recovery_recipients', 'wait'];
/**
 * Shorter than the start timeout of a worker.
 * @limit longest `keyring_wrap.wait`, seconds -> the setting is refused
 * @setting keyring_wrap.wait
 */
const LONGEST_WAIT_SECONDS = 45;

/**
 * @param given the wrapping without defaults, which may not suit its type
 * @param seconds parses the duration of a key
 * @throws ConfigError for keys of another type
 */
export function toKeyring(
  { keyring_file: file, keyring_wrap: tree }: { readonly keyring_file: string; readonly keyring_wrap?: Tree },
  given: Given<Tree> = {},
  at: At,
  seconds: (key: string, text: string) => number,
): KeyringConfig {
  if (tree === undefined) return { file: at(file) };
  const known = [...OF_ALL, ...KEYS[tree.type]];
  const strange = (Object.keys(given) as (keyof Tree)[]).find((key) => !known.includes(key));
  if (strange !== undefined)
    throw new ConfigError(
      `keyring_wrap.${strange}: found beside type ${tree.type}; allowed: ${KEYS[tree.type].join(', ')}`,
    );
  const waitSeconds = seconds('keyring_wrap.wait', tree.wait);
  if (waitSeconds > LONGEST_WAIT_SECONDS)
    throw new ConfigError(`keyring_wrap.wait: found "${tree.wait}"; allowed: up to ${LONGEST_WAIT_SECONDS}s`);
  return {
    file: at(file),
    wrap: { by: WRAPS[tree.type](tree, at, given), recipients: tree.recovery_recipients, waitSeconds },
  };
}

const WRAPS: Readonly<Record<Tree['type'], (tree: Tree, at: At, given: Given<Tree>) => WrapConfig>> = {
  credential: toCredential,
  transit: toTransit,
  'aws-kms': toAwsKms,
  pkcs11: toPkcs11,
};

function toCredential({ credential: name, key_file: file }: Tree, at: At): WrapConfig {
  if (name !== undefined && file !== undefined) throw both('credential', 'key_file');
  if (name !== undefined) return { type: 'credential', key: { name } };
  return { type: 'credential', key: { file: at(needed('key_file', file, 'a path, or keyring_wrap.credential')) } };
}

function toTransit(tree: Tree, at: At): WrapConfig {
  const address = needed('address', tree.address, 'https://HOST:PORT').replace(/\/$/, '');
  requireSafe('address', address);
  const login = toLogin(tree, at);
  return {
    type: 'transit',
    address,
    mount: tree.mount,
    key: needed('key', tree.key, 'the name of the key'),
    ...(tree.namespace !== undefined && { namespace: tree.namespace }),
    ...(tree.authorities_file !== undefined && { authoritiesFile: at(tree.authorities_file) }),
    ...(login && { login }),
  };
}

/** Refuses plain HTTP, because the data key is sent to this URL. */
function requireSafe(key: string, address: string): void {
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:' || ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)) return;
  throw new ConfigError(`keyring_wrap.${key}: found plain http; allowed: https, or http on this machine`);
}

/** Returns no credential if an agent on this machine adds the token. */
function toLogin(tree: Tree, at: At): { readonly token: SecretConfig } | CertificateLogin | undefined {
  const token = secretOf(tree, 'token', at);
  const { certificate_file: certificate, private_key_file: key, login_mount: mount, login_role: role } = tree;
  if (certificate === undefined && key === undefined) return token && { token };
  if (token !== undefined) throw both('token', 'certificate_file');
  return {
    certificateFile: at(needed('certificate_file', certificate, 'a path')),
    privateKeyFile: at(needed('private_key_file', key, 'a path')),
    mount,
    ...(role !== undefined && { role }),
  };
}

function toAwsKms(tree: Tree, at: At): WrapConfig {
  const secretAccessKey = secretOf(tree, 'secret_access_key', at);
  const accessKeyId = tree.access_key_id;
  if (tree.endpoint !== undefined) requireSafe('endpoint', tree.endpoint);
  if (secretAccessKey !== undefined) needed('access_key_id', accessKeyId, 'text');
  if (accessKeyId !== undefined)
    needed('secret_access_key_file', secretAccessKey, 'a path, or keyring_wrap.secret_access_key');
  return {
    type: 'aws-kms',
    key: needed('key', tree.key, 'an id, ARN or alias/NAME'),
    region: needed('region', tree.region, 'a region such as eu-central-1'),
    ...(tree.endpoint !== undefined && { endpoint: tree.endpoint }),
    ...(accessKeyId !== undefined && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
  };
}

function toPkcs11(tree: Tree, at: At, given: Given<Tree>): WrapConfig {
  const { mechanism, hash } = tree;
  if (given.hash !== undefined && mechanism !== 'rsa-oaep')
    throw new ConfigError('keyring_wrap.hash: found beside aes-key-wrap; allowed: beside mechanism rsa-oaep');
  return {
    type: 'pkcs11',
    module: at(needed('module', tree.module, 'the path of a library')),
    tokenLabel: needed('token_label', tree.token_label, 'the label of a token'),
    key: needed('key', tree.key, 'the label of a key'),
    mechanism,
    hash,
    pin: needed('pin_file', secretOf(tree, 'pin', at), 'a path, or keyring_wrap.pin'),
  };
}

function secretOf(tree: Tree, name: 'token' | 'secret_access_key' | 'pin', at: At): SecretConfig | undefined {
  return toSecret(`keyring_wrap.${name}`, tree[name], tree[`${name}_file`], at);
}

function needed<T>(key: string, value: T | undefined, allowed: string): T {
  if (value === undefined) throw new ConfigError(`keyring_wrap.${key}: missing; allowed: ${allowed}`);
  return value;
}

function both(one: string, other: string): ConfigError {
  return new ConfigError(`keyring_wrap.${one}: found beside ${other}; allowed: one of the two`);
}
