import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Config, sensitiveSettings } from '../../config/index.ts';
import { refuseMounted } from '../agent/refuse-mounted.ts';
import type { ConfigOptions } from './config-file.ts';

/** Paths that runs may read: programs, libraries, and certificates. Every other path counts as a secret. */
const PUBLIC = new Set(['engines', 'providers', 'certificateFile', 'authoritiesFile', 'module', 'file of certificate']);

/**
 * Refuses a server whose own runs could read its secrets.
 * @throws CommandError that names the first one
 */
export function refuseMountedSecrets(config: Config, { config: path, set }: ConfigOptions): void {
  if (config.embeddedAgent?.isolation !== 'bubblewrap') return;
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
