import { arch, platform, release } from 'node:os';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { stringify } from 'yaml';
import { type Config, ConfigError, shownSettings } from '../../config/index.ts';
import { addressOf, askListener, type Diagnosis, type Redactor } from '../../diagnosis/index.ts';
import { worst } from '../../lib/finding/finding.ts';
import { version } from '../../version.ts';
import { type BundleFile, writeBundle } from './bundle-file.ts';
import { type Examination, type ExamineOptions, endSoon, examine } from './examine.ts';
import { lastLines } from './last-lines.ts';
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
