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

/** Those that say who can open the file. */
export function addWrapping(keyring: Command): void {
  withConfig(keyring.command('show'))
    .description('show whose keyring it is and how it is wrapped; nobody is asked to unwrap it')
    .addOption(new Option('--format <format>', 'what to print').choices(['text', 'json']).default('text'))
    .action(show);
  withConfig(keyring.command('wrap'))
    .description('have the keys in the file wrapped as keyring_wrap says, so that the file alone opens nothing')
    .option('--from <file>', 'a keyring that is not wrapped, which stays; the wrapped one is a new file')
    .action(wrap);
  withConfig(keyring.command('rewrap'))
    .description('wrap the file anew: by the newest key, for the recipients of today, or by somebody else')
    .option('--was <config>', 'the configuration that opens it now; without it --config does')
    .action(rewrap);
  withConfig(keyring.command('unwrap'))
    .description('write the keys into another file as they are; the wrapped one stays')
    .requiredOption('--to <file>', 'the new file, for its owner alone')
    .action(unwrap);
  withConfig(keyring.command('recover'))
    .description('open a file whose wrapping is lost, and write it anew as the configuration says')
    .requiredOption('--recovery-key <file>', 'the private key of one of its recovery recipients')
    .option('--from <file>', 'the wrapped file, which stays; without it keyring_file is replaced')
    .action(recover);
  keyring
    .command('recovery-key')
    .description(
      'make a pair of keys: a public one for keyring_wrap.recovery_recipients, and a private one to keep away from servers',
    )
    .requiredOption('--out <file>', 'the new file of the private key, for its owner alone')
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
    `wrapped       ${wrapped ? `by ${wrapped.type}, ${wrapped.by}, ${wrapped.at}` : 'no: whoever has the file has the keys'}`,
    ...(wrapped
      ? [`recovery      ${recipients.join('\n              ') || 'none: if the wrapping is lost, so are the keys'}`]
      : []),
    ...(isOther ? [`keyring_wrap  ${configured ?? 'not set'}: the file is refused like this`] : []),
    '',
  ].join('\n');
}

async function wrap(options: FromOptions): Promise<void> {
  const place = wrappedPlace(options);
  const source = options.from === undefined ? place.file : resolve(options.from);
  if (await readEnvelope(source))
    throw new CommandError(`${source} is wrapped already; \`lockkeeper keyring rewrap\` wraps it anew`, EXIT.conflict);
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
  if (place.file === source.file)
    throw usageError('--to: found keyring_file itself; allowed: a file that is not there yet');
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
      'Whoever has the private key and a keyring file has all keys: keep it offline, apart from both.',
      '',
    ].join('\n'),
  );
}

/** In place where that is one file, and into a new one otherwise. */
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
        : `${place.file} is not wrapped: whoever has it has the keys`,
      ...(isSame ? [] : [`${source.file} stays as it is: remove it once every node uses the other`]),
      '',
    ].join('\n'),
  );
}

/** @throws CommandError */
function wrappedPlace(options: ConfigOptions): KeyringPlace {
  const { keyring } = readConfigFile(options);
  if (keyring.wrap) return keyring;
  throw usageError(`${options.config} does not say who wraps the keyring: set keyring_wrap`);
}
