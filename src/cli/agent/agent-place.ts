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
import { CommandError, usageError } from '../errors/command-error.ts';

const MIB = 1_048_576;

/** Prepares the environment of an agent with these settings. @throws CommandError if the sandbox is missing */
export async function placeOf(
  settings: Partial<Pick<AgentConfig, 'kubernetes'>> & AgentSettings,
  trust: Trust | null,
  log: AgentLog,
): Promise<AgentPlace> {
  const { address, engines, engine, providers, providerCache, providerCacheSize } = settings;
  const folder = folderOf(settings);
  const downloads = downloadsOf(settings);
  // Downloads need a folder.
  const kept = engines ?? (downloads === null ? null : join(folder, 'engines'));
  return {
    server: { address, trust },
    // Kubernetes pods isolate their runs themselves.
    isolation: settings.kubernetes ? none : await isolationOf(settings, log),
    engines: { folder: kept, path: process.env.PATH ?? '', always: engine, downloads },
    providers,
    providerCache: providerCache === null ? null : { folder: providerCache, size: providerCacheSize * MIB },
    folder,
    log,
  };
}

/** Returns the folder of an agent. @throws CommandError for a user without a home folder */
export function folderOf({ folder }: Pick<AgentSettings, 'folder'>): string {
  const found = folder ?? defaultFolder(process.env);
  if (found !== undefined) return found;
  throw usageError(
    'The agent cannot start: its user has no home folder. Set `folder`, or the variable STATE_DIRECTORY',
  );
}

/** @throws CommandError for a key file without keys */
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
      'the agent runs as root without a control group: a run can start processes faster than the agent can kill them. Run it as another user, or delegate a control group to it',
    );
  }
  if (delegated === undefined) {
    log.info(
      'no control group is delegated to this agent, so it polls memory, disk and processes of each job twice a second, and job_cpus has no effect. To fix it, delegate a control group (systemd: Delegate=memory pids cpu)',
    );
  }
  const here = { bounds, group };
  if (isolation === 'none') {
    log.warn(
      'isolation is none: every configuration can read all files of this agent, including its credentials and other runs; network, denied_addresses and reach_server have no effect',
    );
    return notIsolated(here);
  }
  if (network === 'host') {
    log.warn(
      'network is host: runs can reach every service of this machine, also on its loopback; denied_addresses and reach_server have no effect',
    );
  }
  try {
    return await findBubblewrap(process.env.PATH ?? '', network === 'host' ? null : { denied, reachServer }, here);
  } catch (error) {
    if (error instanceof JobFailure) throw new CommandError(error.message);
    throw error;
  }
}

/** Runs the agent until it has stopped. @throws CommandError if another agent uses its folder */
export async function waitForEnd(agent: Agent): Promise<void> {
  await agent.run().catch((error) => {
    throw error instanceof FileTaken || error instanceof JobFailure ? new CommandError(error.message) : error;
  });
}
