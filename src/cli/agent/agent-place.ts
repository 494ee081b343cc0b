import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentConfig, type AgentSettings, defaultFolder } from '../../config/index.ts';
import {
  type Agent,
  type AgentLog,
  type AgentPlace,
  checkedKeys,
  delegatedGroup,
  type EngineDownloads,
  FileTaken,
  findBubblewrap,
  type Isolation,
  JobFailure,
  legacyGroup,
  none,
  notIsolated,
  type Trust,
} from '../../runner/index.ts';
import { CommandError } from '../errors/command-error.ts';

const MIB = 1_048_576;

/** What an agent of these settings works with. @throws CommandError where there is no sandbox */
export async function placeOf(
  settings: Partial<Pick<AgentConfig, 'kubernetes'>> & AgentSettings,
  trust: Trust | null,
  log: AgentLog,
): Promise<AgentPlace> {
  const { address, engines, engine, providers, providerCache, providerCacheSize } = settings;
  const folder = settings.folder ?? defaultFolder(process.env);
  const downloads = downloadsOf(settings);
  // What is downloaded needs a place.
  const kept = engines ?? (downloads === null ? null : join(folder, 'engines'));
  return {
    server: { address, trust },
    // What is carried out in pods is isolated there.
    isolation: settings.kubernetes ? none : await isolationOf(settings, log),
    engines: { folder: kept, path: process.env.PATH ?? '', always: engine, downloads },
    providers,
    providerCache: providerCache === null ? null : { folder: providerCache, size: providerCacheSize * MIB },
    folder,
    log,
  };
}

/** @throws CommandError for a file of keys that has none */
function downloadsOf({ engineDownloads }: AgentSettings): EngineDownloads | null {
  if (engineDownloads === null) return null;
  const keys = Object.entries(engineDownloads.keyFiles).map(([kind, file]) => [kind, keysIn(file)] as const);
  return { mirrors: engineDownloads.mirrors, keys: Object.fromEntries(keys) };
}

function keysIn(file: string): string {
  try {
    return checkedKeys(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CommandError(`engine_keys: ${file}: ${(error as Error).message}`);
  }
}

async function isolationOf(settings: AgentSettings, log: AgentLog): Promise<Isolation> {
  const { isolation, network, deniedAddresses: denied, reachServer, bounds } = settings;
  const delegated = delegatedGroup();
  const group = delegated ?? legacyGroup() ?? null;
  if (group === null && process.getuid?.() === 0) {
    log.warn(
      'the agent is root and has no control group: a run can start processes faster than the agent ends them. Run it as another user, or delegate a control group to it',
    );
  }
  if (delegated === undefined) {
    log.info(
      'no control group is delegated to this agent: it checks twice a second how much memory and disk and how many processes each job takes; job_cpus has no effect (systemd: Delegate=memory pids cpu)',
    );
  }
  const here = { bounds, group };
  if (isolation === 'none') {
    log.warn(
      'isolation is none: every configuration can read what this agent can, its credentials and other runs too; network, denied_addresses and reach_server have no effect',
    );
    return notIsolated(here);
  }
  if (network === 'host') {
    log.warn(
      'network is host: runs reach every service of this machine, those on its loopback too; denied_addresses and reach_server have no effect',
    );
  }
  try {
    return await findBubblewrap(process.env.PATH ?? '', network === 'host' ? null : { denied, reachServer }, here);
  } catch (error) {
    if (error instanceof JobFailure) throw new CommandError(error.message);
    throw error;
  }
}

/** Waits until it has stopped. @throws CommandError where another agent works in its folder */
export async function waitForEnd(agent: Agent): Promise<void> {
  await agent.run().catch((error) => {
    throw error instanceof FileTaken || error instanceof JobFailure ? new CommandError(error.message) : error;
  });
}
