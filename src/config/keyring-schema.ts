import Type from 'typebox';
import { duration, optional, path, secret, setting } from './setting.ts';

const text = (most: number, allowed: string, description: string) =>
  optional(Type.String({ minLength: 1, maxLength: most, pattern: '^[ -~]+$' }), allowed, description);
const secretText = (description: string) =>
  secret(Type.String({ minLength: 1, maxLength: 4096, pattern: '^[!-~]+$' }), 'text', description);
const mount = (initial: string, description: string) =>
  optional(
    Type.String({ pattern: '^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*$', maxLength: 254, default: initial }),
    'a path without / at its ends',
    description,
  );

/** How the keyring is wrapped. Which keys belong to which type, `keyring-config.ts` says. */
export const keyringWrap = Type.Object(
  {
    type: setting(
      Type.Enum(['credential', 'transit', 'aws-kms', 'pkcs11']),
      'credential, transit, aws-kms, pkcs11',
      'Who wraps the keys in `keyring_file`, so that the file alone opens nothing. A file that is not wrapped is refused then.',
    ),
    recovery_recipients: optional(
      Type.Array(Type.String({ pattern: '^MCowBQYDK2VuAyEA[A-Za-z0-9+/]{43}=$' }), { maxItems: 8, uniqueItems: true }),
      'up to 8 public keys, as `lockkeeper keyring recovery-key` prints them',
      'Whose private keys open the file when the type above is lost (`lockkeeper keyring recover`).',
    ),
    wait: duration('30s', 'How long a start, or a command, tries again while nobody answers; up to 45s.'),
    credential: optional(
      Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,253}$' }),
      'the name of a credential',
      'credential: of the key that wraps, in the folder that systemd names in $CREDENTIALS_DIRECTORY (`LoadCredentialEncrypted=`).',
    ),
    key_file: Type.Optional(
      path('credential: the same as a path, for whoever else puts it there. It holds 32 random bytes in base64.'),
    ),
    address: optional(
      Type.String({ pattern: '^https?://[^/?#@\\s]+/?$', maxLength: 2048 }),
      'https://HOST:PORT; http for an agent on this machine',
      'transit: Vault, OpenBao, or an agent of theirs.',
    ),
    mount: mount('transit', 'transit: where the secrets engine is.'),
    key: text(
      2048,
      'a name; aws-kms: an id, ARN or alias/NAME',
      'transit: the name of the key. aws-kms: the key. pkcs11: its label on the token.',
    ),
    namespace: text(254, 'a path', 'transit: the namespace that the engine is in.'),
    authorities_file: Type.Optional(
      path('transit: PEM, who vouches for the server, in place of the authorities of the system.'),
    ),
    token_file: Type.Optional(
      path('transit: holds the token, in one line. Read each time that it is needed, so that it can be exchanged.'),
    ),
    token: secretText(
      'transit: the same as text. Better given as LOCKKEEPER_KEYRING_WRAP_TOKEN than written in a file.',
    ),
    certificate_file: Type.Optional(
      path('transit: PEM, our certificate and its intermediates: a login with it takes the place of a token.'),
    ),
    private_key_file: Type.Optional(path('transit: PEM, the private key of the certificate.')),
    login_mount: mount('cert', 'transit: where certificates log in.'),
    login_role: text(254, 'a name', 'transit: the role of the login; without it whichever takes the certificate.'),
    region: optional(
      Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$' }),
      'a region such as eu-central-1',
      'aws-kms: where the key is.',
    ),
    endpoint: optional(
      Type.String({ pattern: '^https?://[^/?#@\\s]+/?$', maxLength: 2048 }),
      'https://HOST:PORT',
      'aws-kms: the server, if it is not that of AWS in the region.',
    ),
    access_key_id: text(
      256,
      'text',
      'aws-kms: who we are there. Without it, what an AWS client finds: environment, profile, role of the machine.',
    ),
    secret_access_key_file: Type.Optional(path('aws-kms: holds the secret of the access key, in one line.')),
    secret_access_key: secretText(
      'aws-kms: the same as text. Better given as LOCKKEEPER_KEYRING_WRAP_SECRET_ACCESS_KEY than written in a file.',
    ),
    module: Type.Optional(
      path('pkcs11: the library of the vendor (.so). The package pkcs11js has to be installed beside lockkeeper.'),
    ),
    token_label: text(32, 'up to 32 characters', 'pkcs11: the label of the token that holds the key.'),
    mechanism: optional(
      Type.Enum(['aes-key-wrap', 'rsa-oaep'], { default: 'aes-key-wrap' }),
      'aes-key-wrap (CKM_AES_KEY_WRAP), rsa-oaep (CKM_RSA_PKCS_OAEP)',
      'pkcs11: what the key does.',
    ),
    hash: optional(
      Type.Enum(['sha1', 'sha256'], { default: 'sha256' }),
      'sha1, sha256',
      'pkcs11: the hash of rsa-oaep.',
    ),
    pin_file: Type.Optional(path('pkcs11: holds the PIN of the user, in one line.')),
    pin: secretText('pkcs11: the same as text. Better given as LOCKKEEPER_KEYRING_WRAP_PIN than written in a file.'),
  },
  { additionalProperties: false },
);
