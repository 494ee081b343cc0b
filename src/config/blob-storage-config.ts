import Type, { type Static } from 'typebox';
import { ConfigError } from './config-error.ts';
import { type SecretConfig, toSecret } from './secret-config.ts';
import { defaulted, optional, path, secret, setting } from './setting.ts';

/** Access to a bucket. @param secretName environment variable of the secret key */
export const s3Access = (secretName: string) => ({
  region: setting(
    Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$' }),
    'a region such as eu-central-1; us-east-1 for a server without regions',
    's3: region of the bucket.',
  ),
  endpoint: optional(
    Type.String({ pattern: '^https?://[^/?#@\\s]+/?$', maxLength: 2048 }),
    'https://HOST:PORT',
    's3: endpoint of the server. Default: AWS in the region.',
  ),
  force_path_style: defaulted(
    Type.Boolean({ default: false }),
    'true, false',
    's3: whether URLs contain the bucket in the path instead of the host name. Most servers other than AWS need this.',
  ),
  access_key_id: optional(
    Type.String({ minLength: 1, maxLength: 256 }),
    'text',
    "s3: ID of the access key. Default: the AWS client's credential chain (environment, profile, role of the machine).",
  ),
  secret_access_key_file: Type.Optional(path('s3: file with the secret access key in one line. Read at start.')),
  secret_access_key: secret(
    Type.String({ minLength: 1, maxLength: 1024 }),
    'text',
    `s3: the secret access key as text. Prefer ${secretName} to writing it into the configuration file.`,
  ),
});

const { region, endpoint, ...access } = s3Access('LOCKKEEPER_STORAGE_BLOBS_SECRET_ACCESS_KEY');

/** Bucket for states, instead of a directory. */
export const blobs = Type.Object(
  {
    type: setting(Type.Enum(['s3']), 's3', 'Storage of states, encrypted: a bucket instead of a directory.'),
    bucket: setting(
      Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$' }),
      'the name of a bucket that exists',
      's3: name of the bucket. Its objects are encrypted with the keyring.',
    ),
    region,
    endpoint,
    prefix: defaulted(
      Type.String({ pattern: '^([A-Za-z0-9._-]+/)*$', maxLength: 500, default: '' }),
      'empty, or a path that ends in /',
      's3: prefix of all object names. Each server in a bucket needs its own prefix.',
    ),
    ...access,
  },
  { additionalProperties: false },
);

/** Access to a bucket. */
export interface S3AccessConfig {
  readonly region: string;
  /** URL of the store. If absent, the AWS endpoint of the region. */
  readonly endpoint?: string;
  readonly forcePathStyle: boolean;
  /** Credentials. If absent, the AWS client's default credential chain. The secret is given as text or in a file. */
  readonly credentials?: {
    readonly accessKeyId: string;
    readonly secretAccessKey: SecretConfig;
  };
}

/** Bucket for blobs, instead of a directory. */
export interface BlobStorageConfig extends S3AccessConfig {
  readonly type: 's3';
  readonly bucket: string;
  readonly prefix: string;
}

type Tree = Static<typeof blobs>;
type AccessTree = Omit<Tree, 'type' | 'bucket' | 'prefix'>;

/** @throws ConfigError for keys that exclude each other */
export function toBlobStorage(tree: Tree, at: (path: string) => string): BlobStorageConfig {
  const { type, bucket, prefix } = tree;
  return { type, bucket, prefix, ...toS3Access(tree, 'storage.blobs', at) };
}

/** @param key of the mapping @throws ConfigError for keys that exclude each other */
export function toS3Access(tree: AccessTree, key: string, at: (path: string) => string): S3AccessConfig {
  const { region, endpoint, force_path_style: forcePathStyle } = tree;
  const credentials = toCredentials(tree, key, at);
  return { region, forcePathStyle, ...(endpoint !== undefined && { endpoint }), ...(credentials && { credentials }) };
}

function toCredentials(tree: AccessTree, key: string, at: (path: string) => string): S3AccessConfig['credentials'] {
  const { access_key_id: accessKeyId, secret_access_key: text, secret_access_key_file: file } = tree;
  const secret = toSecret(`${key}.secret_access_key`, text, file, at);
  if (accessKeyId === undefined && secret === undefined) return undefined;
  if (accessKeyId === undefined) throw new ConfigError(`${key}.access_key_id: missing; required with its secret`);
  if (secret === undefined) {
    const variable = `LOCKKEEPER_${key.replace('.', '_').toUpperCase()}_SECRET_ACCESS_KEY`;
    throw new ConfigError(
      `${key}.secret_access_key_file: missing beside access_key_id; allowed: a path, or secret_access_key (${variable})`,
    );
  }
  return { accessKeyId, secretAccessKey: secret };
}
