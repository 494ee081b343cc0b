import { type Command, Option } from 'commander';
import { parseSeconds } from '../../lib/duration.ts';
import { addKey, listKeys, removeKey } from '../../storage/index.ts';
import { usageError } from '../errors/command-error.ts';
import { type ConfigOptions, readConfigFile, withConfig } from '../process/config-file.ts';
import { requireAllCounted, requirePrunable } from './keyring-prune.ts';
import { withSealed } from './keyring-sealed.ts';
import { type KeyUse, keyUses, listText } from './keyring-use.ts';
import { addWrapping } from './wrap-commands.ts';

interface RotateOptions extends ConfigOptions {
  readonly sealsIn: string;
}

interface ListOptions extends ConfigOptions {
  readonly format: 'text' | 'json';
}

interface PruneOptions extends ConfigOptions {
  readonly dropBatchTokens: boolean;
}

/** Command `lockkeeper keyring`: rotates the encryption keys while servers run. */
export function addKeyring(program: Command): void {
  const keyring = program.command('keyring').description('Manage the keys that encrypt secrets and states');
  withConfig(keyring.command('rotate'))
    .description('Add a key to the keyring file; it decrypts at once and encrypts after a delay. Other keys stay')
    .option('--seals-in <duration>', 'delay until the key encrypts; all nodes need the new file by then', '1m')
    .action(rotate);
  withConfig(keyring.command('list'))
    .description('List the keys, the active one, and the number of values encrypted with each')
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
    .action(list);
  withConfig(keyring.command('prune'))
    .description('Remove a key from the keyring file; refused while it is in use')
    .argument('<key>', 'number of the key')
    .option('--drop-batch-tokens', 'remove the key even if batch tokens may use it; they become invalid', false)
    .action(prune);
  addWrapping(keyring);
}

async function rotate(options: RotateOptions): Promise<void> {
  const { keyring } = readConfigFile(options);
  const delay = secondsOf(options.sealsIn);
  const sealsFrom = Date.now() + delay * 1000;
  const version = await addKey(keyring, sealsFrom);
  process.stdout.write(
    [
      `key ${version} is in ${keyring.file}, and encrypts from ${new Date(sealsFrom).toISOString()} on`,
      'Servers that use this file reload it automatically, or at once on SIGHUP. If nodes have their own files, the new file must be',
      'copied to them before that time. Store a new copy of the keyring, apart from the database.',
      '',
    ].join('\n'),
  );
}

function secondsOf(text: string): number {
  try {
    return parseSeconds(text);
  } catch {
    throw usageError(`--seals-in ${text}: expected a duration such as 0s, 90s or 2h`);
  }
}

async function list(options: ListOptions): Promise<void> {
  const config = readConfigFile(options);
  const keys = await listKeys(config.keyring);
  const uses = await withSealed(config, async ({ counts }) => keyUses(keys, counts));
  process.stdout.write(options.format === 'json' ? jsonOf(uses) : listText(uses));
}

const jsonOf = (uses: readonly KeyUse[]) => `${JSON.stringify({ keys: uses }, null, 2)}\n`;

async function prune(key: string, options: PruneOptions): Promise<void> {
  if (!/^[1-9]\d{0,8}$/.test(key))
    throw usageError(`${key}: expected the number of a key, as \`keyring list\` shows it`);
  const version = Number(key);
  const config = readConfigFile(options);
  const keys = await listKeys(config.keyring);
  await withSealed(config, async ({ counts, longestLease, ahead }) => {
    requireAllCounted(ahead);
    const batchTokenLife = options.dropBatchTokens ? 0 : longestLease;
    requirePrunable(version, keyUses(keys, counts), { batchTokenLife, now: Date.now() });
  });
  await removeKey(config.keyring, version);
  process.stdout.write(
    `key ${version} was removed from ${config.keyring.file}; copy the file to nodes that have their own\n`,
  );
}
