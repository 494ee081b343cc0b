import type { EnginePlaces } from '../../engine/engine.ts';
import type { StepWatcher } from '../../engine/steps.ts';
import type { Isolation } from '../../isolation/isolation.ts';
import { ProviderCache, type ProviderCachePlace } from '../../providers/cache.ts';
import type { AgentLog } from '../agent-log.ts';
import { Server, type ServerPlace } from '../http/server.ts';

/** Server, folders and programs of an agent: the part of its options that all kinds of agent share. */
export interface AgentPlace {
  readonly server: ServerPlace;
  readonly isolation: Isolation;
  readonly engines: EnginePlaces;
  /** Folder of provider packages of this agent; null for none. See `Parts`. */
  readonly providers: string | null;
  /** Shared cache of downloaded providers; null for none. */
  readonly providerCache: ProviderCachePlace | null;
  /** Folder for the files of jobs. No other agent uses it. */
  readonly folder: string;
  readonly log: AgentLog;
}

/** Dependencies of a job's execution. */
export interface Workshop {
  readonly server: Server;
  readonly isolation: Isolation;
  readonly engines: EnginePlaces;
  /** Provider packages of this agent. See `Parts.providers`. */
  readonly providers: string | null;
  /** Shared provider cache. See `Parts.cache`. */
  readonly cache: ProviderCache | null;
  readonly folder: string;
  readonly log: AgentLog;
  /** Observer of the running engine. See `Parts.watcher`. */
  readonly watcher?: StepWatcher;
}

/** Connects to the server and opens the provider cache. @throws JobFailure for a server URL that is not valid */
export function openWorkshop(place: AgentPlace, watcher?: StepWatcher): Workshop {
  const { server, isolation, engines, providers, providerCache, folder, log } = place;
  const cache = providerCache === null ? null : new ProviderCache(providerCache);
  return { server: new Server(server), isolation, engines, providers, cache, folder, log, ...(watcher && { watcher }) };
}
