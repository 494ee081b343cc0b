import Type from 'typebox';
import { defaulted, duration, optional, path, secret, setting } from './setting.ts';

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
