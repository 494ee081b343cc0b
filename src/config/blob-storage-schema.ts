import Type from 'typebox';
import { optional, path, secret, setting } from './setting.ts';

/** How a bucket is reached. @param secretName of the variable of the environment */
export const s3Access = (secretName: string) => ({
  region: setting(
    Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$' }),
    'a region such as eu-central-1; us-east-1 where a server has none',
    's3: where the bucket is.',
  ),
  endpoint: optional(
    Type.String({ pattern: '^https?://[^/?#@\\s]+/?$', maxLength: 2048 }),
    'https://HOST:PORT',
    's3: the server, if it is not that of AWS in the region.',
  ),
  force_path_style: optional(
    Type.Boolean({ default: false }),
    'true, false',
    's3: the bucket is in the path of addresses and not in the name of the host, as most servers but that of AWS want it.',
  ),
  access_key_id: optional(
    Type.String({ minLength: 1, maxLength: 256 }),
    'text',
    's3: who we are there. Without it, what an AWS client finds: environment, profile, role of the machine.',
  ),
  secret_access_key_file: Type.Optional(
    path('s3: holds the secret of the access key, in one line. Read at the start.'),
  ),
  secret_access_key: secret(
    Type.String({ minLength: 1, maxLength: 1024 }),
    'text',
    `s3: the same as text. Better given as ${secretName} than written in a file.`,
  ),
});

const { region, endpoint, ...access } = s3Access('LOCKKEEPER_STORAGE_BLOBS_SECRET_ACCESS_KEY');

/** Where states are, if not in a directory. */
export const blobs = Type.Object(
  {
    type: setting(Type.Enum(['s3']), 's3', 'Where states are, encrypted: in a bucket in place of a directory.'),
    bucket: setting(
      Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$' }),
      'the name of a bucket that exists',
      's3: it holds nothing that anybody could read without the keyring.',
    ),
    region,
    endpoint,
    prefix: optional(
      Type.String({ pattern: '^([A-Za-z0-9._-]+/)*$', maxLength: 500 }),
      'empty, or a path that ends in /',
      's3: what the names of all objects begin with. Each installation in a bucket needs one of its own.',
    ),
    ...access,
  },
  { additionalProperties: false },
);
