import { ConfigError } from './config-error.ts';
import type { ConfigTree } from './config-schema.ts';
import { type SecretConfig, toSecret } from './secret-config.ts';

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

type Tree = NonNullable<ConfigTree['storage']['blobs']>;
type AccessTree = NonNullable<NonNullable<ConfigTree['backup']>['s3']>;

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
