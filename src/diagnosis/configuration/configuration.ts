import type { Config } from '../../config/index.ts';
import { type Finding, type NamedFinding, skipped, success } from '../../lib/finding/finding.ts';
import { plainFileFinding, secretFileFinding } from '../disk/permissions.ts';
import type { Subject } from '../model/check.ts';
import type { Site } from '../model/site.ts';
import { secretsIn } from './secrets.ts';

/** The settings and the files that they name. Invalid settings are reported before any other check runs. */
export const configuration: Subject = {
  name: 'configuration',
  checks: [
    { name: 'settings', run: async ({ config, configFile }) => success(summary(config), configFile) },
    { name: 'file', run: configFile },
    { name: 'secret files', run: secretFilesOf },
  ],
};

function summary({ storage, listeners, workers = 1 }: Config): string {
  return `${storage.type}, ${count(listeners.length, 'listener')}, ${count(workers, 'process', 'processes')}`;
}

const count = (number: number, one: string, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

async function configFile({ configFile: path, config }: Site): Promise<Finding> {
  if (path === undefined) return skipped('not read from a file');
  return holdsSecret(config) ? secretFileFinding(path) : plainFileFinding(path);
}

/**
 * Returns whether the configuration contains a secret. A file that is known to contain none may be readable by all
 * users.
 */
function holdsSecret(config: Config): boolean {
  const { storage } = config;
  const isInUrl =
    storage.type === 'postgres' && process.env.LOCKKEEPER_STORAGE_URL === undefined && hasPassword(storage.url);
  return isInUrl || secretsIn(config).some(([setting, place]) => 'text' in place && !isInEnvironment(setting));
}

/** Returns whether the secret comes from an environment variable: `LOCKKEEPER_TRACING_TOKEN` for `tracing.token`. */
const isInEnvironment = (setting: string): boolean =>
  process.env[`LOCKKEEPER_${setting.replaceAll('.', '_').toUpperCase()}`] !== undefined;

const hasPassword = (url: string): boolean => (URL.parse(url)?.password ?? '') !== '' || /[?&]password=/.test(url);

async function secretFilesOf({ config }: Site): Promise<Finding | NamedFinding[]> {
  const files = secretsIn(config).flatMap(([name, place]) => ('file' in place ? [{ name, path: place.file }] : []));
  if (files.length === 0) return skipped('no secret files are configured');
  return Promise.all(files.map(async ({ name, path }) => ({ name, ...(await secretFileFinding(path)) })));
}
