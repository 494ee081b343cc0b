export {
  type AgentConfig,
  type AgentSettings,
  defaultFolder,
  type EmbeddedConfig,
  loadAgentConfig,
  readEmbeddedConfig,
} from './agent/agent-config.ts';
export { agentSchema } from './agent/agent-schema.ts';
export type { EmbeddedAgentConfig } from './agent/embedded-agent-config.ts';
export { fromEngineSettings } from './agent/engine-settings.ts';
export { asSettings } from './agent/job-bounds.ts';
export type { AuditSinkConfig, CollectedConfig } from './audit-sink-config.ts';
export { type BackupConfig, backupInterval } from './backup-config.ts';
export type { BlobStorageConfig, S3AccessConfig } from './blob-storage-config.ts';
export {
  type Config,
  type ListenerConfig,
  loadConfig,
  type ServiceName,
  type StorageConfig,
} from './config.ts';
export { ConfigError } from './config-error.ts';
export { splitList } from './config-sources.ts';
export { hostsAndBlocks, splitAddress } from './host-address.ts';
export { listenerUrl, refuseAddress } from './listener-address.ts';
export { type Sensitive, sensitiveSettings, shownSettings } from './shown-settings.ts';
export type { OidcConfig, SignInConfig } from './sign-in-config.ts';
export type { SmtpConfig } from './smtp/smtp-config.ts';
