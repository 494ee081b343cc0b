export { hostsAndBlocks, splitAddress } from './address.ts';
export type { BlobStorageConfig } from './blobs.ts';
export {
  type Config,
  type ListenerConfig,
  loadConfig,
  type ServiceName,
  type StorageConfig,
} from './config.ts';
export { ConfigError, splitList } from './read.ts';
