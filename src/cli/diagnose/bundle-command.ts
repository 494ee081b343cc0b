import { open, rm, writeFile } from 'node:fs/promises';
import { arch, platform, release } from 'node:os';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { stringify } from 'yaml';
import { packFiles } from '../../archive/index.ts';
import { type Config, ConfigError, shownSettings } from '../../config/index.ts';
import { addressOf, askListener, type Diagnosis, type Redactor } from '../../diagnosis/index.ts';
import { worst } from '../../lib/finding/finding.ts';
import { version } from '../../version.ts';
import { CommandError } from '../errors/command-error.ts';
import { type Examination, type ExamineOptions, endSoon, examine } from './examine.ts';
import { subjectText } from './tree-text.ts';

interface BundleOptions extends ExamineOptions {
  readonly out: string;
  readonly log?: string;
}

/** Command `lockkeeper diagnose bundle`: information for support, without secrets. */
export function addBundle(diagnose: Command, withExamining: (command: Command) => Command): void {
  withExamining(diagnose.command('bundle'))
    .description(
      'Write a support bundle: settings, diagnosis, versions, metrics and the end of the log, without secrets',
    )
    .requiredOption('--out <file>', 'file to write: a new tar.gz')
    .option('--log <file>', 'log file of the server')
    .action(bundle);
}

async function bundle(options: BundleOptions): Promise<void> {
  const { config, sources, redactor, subjects } = await examine(options);
  const found: Diagnosis[] = [];
  for await (const subject of subjects) found.push(subject);
  const status = worst(found.map((subject) => subject.status));
  const files: BundleFile[] = [
    { name: 'diagnosis.json', text: jsonOf({ version, status, subjects: found }) },
    { name: 'diagnosis.txt', text: found.map((subject) => subjectText(subject, false)).join('\n') },
    { name: 'versions.json', text: jsonOf(versions()) },
    { name: 'configuration.yaml', text: configurationText(sources, redactor) },
    ...(await metrics(config)).map(({ name, text }) => ({ name, text: redactor.text(text) })),
    ...(options.log === undefined
      ? []
      : [{ name: 'log.txt', text: redactor.text(await lastLines(resolve(options.log))) }]),
  ];
  const out = resolve(options.out);
  await writeBundle(out, files);
  endSoon();
  process.stdout.write(
    `${files.map(({ name }) => name).join(', ')} are in ${out}\nSecrets were removed. Check the content before you share it.\n`,
  );
}

const jsonOf = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

function versions() {
  const { node, v8, openssl, sqlite } = process.versions;
  return {
    lockkeeper: version,
    node,
    v8,
    openssl,
    sqlite,
    system: `${platform()} ${release()} ${arch()}`,
    at: new Date().toISOString(),
  };
}

/** Settings as given: file, environment and flags. */
function configurationText(sources: Examination['sources'], redactor: Redactor): string {
  try {
    return stringify(redactor.value(shownSettings(sources)));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return `# ${redactor.text(error.message).replaceAll('\n', '\n# ')}\n`;
  }
}

/** Metrics of the running server, from its metrics listener. */
async function metrics(config: Config | undefined): Promise<BundleFile[]> {
  const addresses = (config?.listeners ?? []).flatMap((listener) =>
    listener.services.includes('metrics') ? (addressOf(listener) ?? []) : [],
  );
  const answers = await Promise.all(addresses.map((one) => askListener(one, '/metrics').catch(() => undefined)));
  const page = answers.find((answer) => answer?.status === 200);
  return page === undefined ? [] : [{ name: 'metrics.txt', text: page.body }];
}

interface BundleFile {
  readonly name: string;
  readonly text: string;
}

/**
 * Writes files into a tar.gz that only its owner can read.
 * @throws CommandError if the file exists or cannot be written; no partial file is left
 */
async function writeBundle(out: string, files: readonly BundleFile[]): Promise<void> {
  const contents = files.map(({ name, text }) => ({ name, content: text }));
  const archive = packFiles(contents, { mode: 0o600, modifiedAt: new Date() });
  try {
    await writeFile(out, archive, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new CommandError(`${out} already exists and is not overwritten; choose another file`);
    await rm(out, { force: true });
    throw new CommandError(`${out} cannot be written: ${message}`);
  }
}

/** @limit log in a support bundle, bytes -> earlier lines are left out */
const MAX_BYTES = 1_048_576;

/** Returns the end of a file, starting at a line. @throws CommandError if the file cannot be read */
async function lastLines(path: string): Promise<string> {
  const file = await open(path, 'r').catch((error: Error) => {
    throw new CommandError(`--log: ${path} cannot be read: ${error.message}`);
  });
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - MAX_BYTES);
    const buffer = Buffer.alloc(Math.min(size, MAX_BYTES));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
    const text = buffer.toString('utf8', 0, bytesRead);
    return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await file.close();
  }
}
