import Type from 'typebox';
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
