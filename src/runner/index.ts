export { FileTaken } from '../lib/locks/file-lock.ts';
export { Agent, type AgentOptions, type Credential } from './agent/agent.ts';
export type { AgentLog, Facts } from './agent/agent-log.ts';
export type { Execution, Executor } from './agent/executor.ts';
export { isRefusal, Unanswered } from './agent/http/failures.ts';
export type { Trust } from './agent/http/server.ts';
export type { AgentPlace } from './agent/job/workshop.ts';
export { HandedTokens } from './agent/login/handed-tokens.ts';
export { executeOneJob } from './agent/one-job.ts';
export { keptStates } from './cleanup/cleanup.ts';
export { checkedKeys, type EngineDownloads } from './engine/download/download.ts';
export type { EnginePlaces } from './engine/engine.ts';
export { execute, type Parts } from './execute.ts';
export { inKubernetes } from './executors.ts';
export { delegatedGroup, legacyGroup } from './isolation/bounds/cgroup.ts';
export type { Isolation } from './isolation/isolation.ts';
export { mountedIn } from './isolation/mounts.ts';
export type { NetworkSettings } from './isolation/network/plan.ts';
export { none, notIsolated } from './isolation/none.ts';
export { findBubblewrap } from './isolation/probe.ts';
export type {
  EngineKind,
  IdentityFile,
  Job,
  JobCommit,
  JobIdentity,
  JobParameters,
  JobPhase,
  JobVariable,
  VaultLogin,
} from './job.ts';
export type { KubernetesSettings } from './kubernetes/settings.ts';
export { type Bytes, type Content, type Counts, type Inputs, type JobEnd, JobFailure, type Outputs } from './ports.ts';
export { isExecutable, programOn } from './programs.ts';
export { ProviderCache, type ProviderCachePlace } from './providers/cache.ts';
export type { StateVersion } from './state/state-file.ts';
export type { Stop } from './stopping.ts';
