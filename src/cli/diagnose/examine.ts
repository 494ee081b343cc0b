import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { siteFromOutside } from '../../composition/index.ts';
import { type Config, ConfigError, loadConfig } from '../../config/index.ts';
import { type Diagnosis, diagnose, Redactor, subjects } from '../../diagnosis/index.ts';
import { usageError } from '../errors/command-error.ts';
import type { ConfigOptions } from '../process/config-file.ts';

/** For what a check has left open, milliseconds. */
const PATIENCE_MS = 2_000;

export interface ExamineOptions extends ConfigOptions {
  readonly nodes?: string;
  readonly thorough: boolean;
}

/** What an examination comes to, while it goes on: subjects without secrets. */
export interface Examination {
  /** Undefined where the settings cannot be used: that is all there is to tell then. */
  readonly config: Config | undefined;
  readonly redactor: Redactor;
  readonly subjects: AsyncGenerator<Diagnosis>;
}

/** @throws CommandError where there is no such file */
export async function examine(options: ExamineOptions): Promise<Examination> {
  const configFile = resolve(options.config);
  const config = configIn(configFile, options.set);
  if (!('listeners' in config)) {
    const redactor = await Redactor.of(undefined, process.env);
    return { config: undefined, redactor, subjects: told([config], redactor) };
  }
  const redactor = await Redactor.of(config, process.env);
  const nodes = options.nodes === undefined ? undefined : numberOf(options.nodes);
  const site = siteFromOutside({ config, configFile, isThorough: options.thorough, ...(nodes && { nodes }) });
  const found = diagnose(site, subjects(config));
  return { config, redactor, subjects: told(found, redactor, () => site.close()) };
}

async function* told(
  found: Iterable<Diagnosis> | AsyncIterable<Diagnosis>,
  redactor: Redactor,
  end: () => Promise<void> = async () => {},
): AsyncGenerator<Diagnosis> {
  try {
    for await (const subject of found) yield redactor.value(subject);
  } finally {
    await Promise.race([end(), wait(PATIENCE_MS, undefined, { ref: false })]);
    // What hangs (a disk that is away, say) must not keep the program: its check has failed already.
    setTimeout(() => process.exit(), PATIENCE_MS).unref();
  }
}

/** The settings, or what is wrong with them. */
function configIn(file: string, flags: readonly string[]): Config | Diagnosis {
  try {
    return loadConfig({ file: readFileSync(file, 'utf8'), environment: process.env, flags }, dirname(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw usageError(`there is no file ${file}`);
    const isOurs = error instanceof ConfigError;
    if (!isOurs && (error as NodeJS.ErrnoException).code === undefined) throw error;
    const finding = {
      status: 'failure',
      found: isOurs ? 'they cannot be used' : 'the file cannot be read',
      detail: (error as Error).message,
      advice: 'correct them: nothing else can be looked at before. All settings: docs/reference/configuration.md',
    } as const;
    return { name: 'configuration', status: 'failure', parts: [{ name: 'settings', ...finding }] };
  }
}

function numberOf(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw usageError(`--nodes ${text}: expected a number from 1 on`);
  return Number(text);
}
