export {
  type Config,
  type ListenerConfig,
  loadConfig,
  type ServiceName,
  type StorageConfig,
  splitAddress,
} from './config.ts';
export { ConfigError } from './read.ts';
