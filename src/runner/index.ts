export type { EnginePlaces } from './engine/engine.ts';
export { execute, type Parts } from './execute.ts';
export type { Isolation } from './isolation/isolation.ts';
export { none } from './isolation/none.ts';
export { findBubblewrap } from './isolation/probe.ts';
export type { EngineKind, Job, JobCommit, JobParameters, JobPhase, JobVariable } from './job.ts';
export type { Bytes, Content, Counts, Inputs, JobEnd, Outputs } from './ports.ts';
export type { StateVersion } from './state/state-file.ts';
export type { Stop } from './stopping.ts';
