import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Config, sensitiveSettings } from '../../config/index.ts';
import { CommandError } from '../errors/command-error.ts';
import type { ConfigOptions } from './config-file.ts';
import { trustsThisMachine } from './embedded-agent.ts';
import { refuseMounted } from './refuse-mounted.ts';

/** Paths that runs may read: programs, libraries and certificates. All other paths count as secret. */
const PUBLIC = new Set(['engines', 'providers', 'certificateFile', 'authoritiesFile', 'module', 'file of certificate']);

/**
 * Refuses to start a server whose own runs could read its secrets or impersonate one of its proxies.
 * @throws CommandError with the secret or proxy, and what to do
 */
export function checkEmbedded(config: Config, { config: path, set }: ConfigOptions): void {
  const { embeddedAgent: agent, listeners } = config;
  if (agent === undefined) return;
  const isApart = agent.isolation === 'bubblewrap' && agent.network === 'isolated';
  if (!isApart && trustsThisMachine(listeners)) {
    throw new CommandError(
      'trusted_proxies of a listener include this machine, and runs of the embedded agent share its network, so a run could forward any certificate as its own. Set workspaces.embedded_agent.network to isolated (and isolation to bubblewrap), or run agents on another machine',
    );
  }
  if (agent.isolation === 'none') return;
  const file = resolve(path);
  const sources = { file: readFileSync(file, 'utf8'), environment: process.env, flags: set };
  refuseMounted([file, ...pathsIn(config), ...sensitiveSettings(sources, dirname(file)).files]);
}

function pathsIn(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return value.startsWith('/') && !PUBLIC.has(key) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([name, inner]) =>
    pathsIn(inner, isList ? key : name === 'file' && key === 'certificate' ? 'file of certificate' : name),
  );
}
