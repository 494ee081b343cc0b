import type { KnownEngine } from '../../engine/answers.ts';
import type { EnginePlaces } from '../../engine/engine.ts';
import type { IsolationSettings } from '../../isolation/isolation.ts';
import type { ProviderCachePlace } from '../../providers/cache.ts';
import type { Facts } from '../agent-log.ts';
import type { ServerPlace, Trust } from '../http/server.ts';
import type { ExecutedJob } from '../job/execute-job.ts';
import type { HandedJob } from '../job/job-document.ts';

/** Interval between two heartbeats from the process of a job, in ms. */
export const SIGN_OF_LIFE_MS = 5_000;

/** Dependencies of the process of a job, as JSON. */
export interface JobPlace {
  readonly server: ServerPlace;
  readonly isolation: IsolationSettings;
  readonly engines: EnginePlaces;
  readonly knownEngines: readonly KnownEngine[];
  readonly providers: string | null;
  readonly providerCache: ProviderCachePlace | null;
  readonly folder: string;
}

/** Message from the agent to the process of a job. */
export type Order =
  | { readonly do: 'execute'; readonly handed: HandedJob; readonly place: JobPlace }
  /** `reason` is null if the run was canceled; otherwise it is the failure of the job. */
  | { readonly do: 'stop'; readonly how: 'interrupt' | 'kill'; readonly reason: string | null }
  | { readonly do: 'trust'; readonly trust: Trust };

/** Message from the process of a job to its agent. */
export type Report =
  | { readonly is: 'alive' }
  | { readonly is: 'log'; readonly level: 'info' | 'warn'; readonly text: string; readonly facts?: Facts }
  /** An engine has started; `pid` is its process group. */
  | { readonly is: 'step begun'; readonly step: string; readonly pid: number | undefined }
  | { readonly is: 'step ended'; readonly step: string }
  | { readonly is: 'ended'; readonly executedJob: ExecutedJob; readonly knownEngines: readonly KnownEngine[] };
