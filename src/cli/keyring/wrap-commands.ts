import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import {
  type KeyringPlace,
  makeRecoveryKey,
  openKeyring,
  readEnvelope,
  readKeyring,
  readRecoveryFile,
  recoverKeys,
  rewriteKeyring,
  writeNewKeyring,
  writeRecoveryFile,
} from '../../storage/index.ts';
import { CommandError, usageError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';
import { type ConfigOptions, readConfigFile, withConfig } from '../process/config-file.ts';
import { noteOnError } from '../process/keyring.ts';

interface FromOptions extends ConfigOptions {
  readonly from?: string;
}

/** Commands for the wrapping of the keyring file. */
export function addWrapping(keyring: Command): void {
  withConfig(keyring.command('show'))
    .description('Show how the keyring is wrapped, without unwrapping it')
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
    .action(show);
  withConfig(keyring.command('wrap'))
    .description('Wrap the keyring as configured in keyring_wrap, so that the file alone decrypts nothing')
    .option('--from <file>', 'unwrapped keyring to read; the wrapped keyring becomes a new file')
    .action(wrap);
  withConfig(keyring.command('rewrap'))
    .description('Wrap the keyring again: with the newest key, the current recipients, or another service')
    .option('--was <config>', 'configuration that can unwrap the file now (default: --config)')
    .action(rewrap);
  withConfig(keyring.command('unwrap'))
    .description('Write the keys unwrapped into another file; the wrapped file stays')
    .requiredOption('--to <file>', 'new file that only its owner can read')
    .action(unwrap);
  withConfig(keyring.command('recover'))
    .description('Recover a keyring whose wrapping service is lost, and wrap it as configured')
    .requiredOption('--recovery-key <file>', 'private key of one of its recovery recipients')
    .option('--from <file>', 'wrapped file to read, which stays (default: replace keyring_file)')
    .action(recover);
  keyring
    .command('recovery-key')
    .description(
      'Create a recovery key pair: the public key for keyring_wrap.recovery_recipients, and a private key to keep offline',
    )
    .requiredOption('--out <file>', 'new file for the private key; only its owner can read it')
    .action(recoveryKey);
}

async function show(options: ConfigOptions & { readonly format: 'text' | 'json' }): Promise<void> {
  const { file, wrap: configured } = readConfigFile(options).keyring;
  const found = await readEnvelope(file);
  const fingerprint = found?.fingerprint ?? (await openKeyring({ file })).fingerprint;
  const wrapped = found ? { type: found.wrap.type, by: found.wrap.name, at: found.wrap.at } : null;
  const recipients = found?.recovery.map(({ recipient }) => recipient) ?? [];
  const report = {
    file,
    fingerprint,
    wrapped,
    recovery_recipients: recipients,
    configured: configured?.by.type ?? null,
  };
  process.stdout.write(options.format === 'json' ? `${JSON.stringify(report, null, 2)}\n` : textOf(report));
}

function textOf(report: {
  readonly file: string;
  readonly fingerprint: string;
  readonly wrapped: { readonly type: string; readonly by: string; readonly at: string } | null;
  readonly recovery_recipients: readonly string[];
  readonly configured: string | null;
}): string {
  const { file, fingerprint, wrapped, recovery_recipients: recipients, configured } = report;
  const isOther = (wrapped?.type ?? null) !== configured;
  return [
    `keyring       ${file}`,
    `fingerprint   ${fingerprint}`,
    `wrapped       ${wrapped ? `by ${wrapped.type}, ${wrapped.by}, ${wrapped.at}` : 'no: the file alone gives access to all keys'}`,
    ...(wrapped
      ? [
          `recovery      ${recipients.join('\n              ') || 'none: if the wrapping service is lost, the keys are lost'}`,
        ]
      : []),
    ...(isOther ? [`keyring_wrap  ${configured ?? 'not set'}: this server refuses the file as it is`] : []),
    '',
  ].join('\n');
}

async function wrap(options: FromOptions): Promise<void> {
  const place = wrappedPlace(options);
  const source = options.from === undefined ? place.file : resolve(options.from);
  if (await readEnvelope(source))
    throw new CommandError(
      `${source} is already wrapped; use \`lockkeeper keyring rewrap\` to wrap it again`,
      EXIT.conflict,
    );
  await write({ file: source }, place, () => readKeyring({ file: source }));
}

async function rewrap({ was, ...options }: ConfigOptions & { readonly was?: string }): Promise<void> {
  const place = wrappedPlace(options);
  const source = was === undefined ? place : readConfigFile({ config: was, set: [] }).keyring;
  await write(source, place, () => readKeyring(source, noteOnError));
}

async function unwrap(options: ConfigOptions & { readonly to: string }): Promise<void> {
  const source = readConfigFile(options).keyring;
  const place = { file: resolve(options.to) };
  if (place.file === source.file) throw usageError('--to: found keyring_file itself; allowed: a new file');
  await write(source, place, () => readKeyring(source, noteOnError));
}

async function recover(options: FromOptions & { readonly recoveryKey: string }): Promise<void> {
  const place = readConfigFile(options).keyring;
  const source = { file: options.from === undefined ? place.file : resolve(options.from) };
  const pem = await readRecoveryFile(resolve(options.recoveryKey));
  await write(source, place, () => recoverKeys(source.file, pem));
}

async function recoveryKey({ out }: { readonly out: string }): Promise<void> {
  const file = resolve(out);
  const { recipient, privateKey } = makeRecoveryKey();
  await writeRecoveryFile(file, privateKey);
  process.stdout.write(
    [
      `public key   ${recipient}   (for keyring_wrap.recovery_recipients, then \`lockkeeper keyring rewrap\`)`,
      `private key  ${file}`,
      'The private key and a keyring file together give access to all keys. Keep the private key offline.',
      '',
    ].join('\n'),
  );
}

/** Replaces the file if source and target are equal, otherwise writes a new file. */
async function write(
  source: KeyringPlace,
  place: KeyringPlace,
  read: () => ReturnType<typeof readKeyring>,
): Promise<void> {
  const isSame = source.file === place.file;
  if (isSame) await rewriteKeyring(place, async () => [await read(), undefined], noteOnError);
  else await writeNewKeyring(place, await read(), { as: source.file, note: noteOnError });
  process.stdout.write(
    [
      place.wrap
        ? `${place.file} is wrapped by ${place.wrap.by.type}`
        : `${place.file} is not wrapped: the file alone gives access to all keys`,
      ...(isSame ? [] : [`${source.file} is unchanged; remove it when all nodes use the new file`]),
      '',
    ].join('\n'),
  );
}

/** @throws CommandError */
function wrappedPlace(options: ConfigOptions): KeyringPlace {
  const { keyring } = readConfigFile(options);
  if (keyring.wrap) return keyring;
  throw usageError(`${options.config} does not configure a wrapping; set keyring_wrap`);
}
