import { ConfigError } from './config-error.ts';
import type { ConfigTree } from './config-schema.ts';

/** Where large contents are kept, if not in a directory. */
export interface BlobStorageConfig {
  readonly type: 's3';
  readonly bucket: string;
  readonly region: string;
  /** Absent: the one of AWS in that region. */
  readonly endpoint?: string;
  readonly prefix: string;
  readonly forcePathStyle: boolean;
  /** Absent: what the environment of an AWS client says. The secret is in the text or in the file. */
  readonly credentials?: {
    readonly accessKeyId: string;
    readonly secretAccessKey: { readonly text: string } | { readonly file: string };
  };
}

type Tree = NonNullable<ConfigTree['storage']['blobs']>;

/** @throws ConfigError for keys that do not belong together */
export function toBlobStorage(tree: Tree, at: (path: string) => string): BlobStorageConfig {
  const { type, bucket, region, endpoint, prefix = '', force_path_style: pathStyle = false } = tree;
  const credentials = toCredentials(tree, at);
  return {
    type,
    bucket,
    region,
    prefix,
    forcePathStyle: pathStyle,
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials && { credentials }),
  };
}

function toCredentials(tree: Tree, at: (path: string) => string): BlobStorageConfig['credentials'] {
  const { access_key_id: accessKeyId, secret_access_key: text, secret_access_key_file: file } = tree;
  if (text !== undefined && file !== undefined) {
    throw new ConfigError(
      'storage.blobs.secret_access_key: found beside secret_access_key_file; allowed: one of the two',
    );
  }
  const secret = text !== undefined ? { text } : file !== undefined ? { file: at(file) } : undefined;
  if (accessKeyId === undefined && secret === undefined) return undefined;
  if (accessKeyId === undefined) throw new ConfigError('storage.blobs.access_key_id: missing beside its secret');
  if (secret === undefined) {
    throw new ConfigError(
      'storage.blobs.secret_access_key_file: missing beside access_key_id; allowed: a path, or secret_access_key ' +
        '(LOCKKEEPER_STORAGE_BLOBS_SECRET_ACCESS_KEY)',
    );
  }
  return { accessKeyId, secretAccessKey: secret };
}
