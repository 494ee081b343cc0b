import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { siteOfConfig } from '../../composition/index.ts';
import { type Config, ConfigError, loadConfig, sensitiveSettings } from '../../config/index.ts';
import { type Diagnosis, diagnose, Redactor, subjects } from '../../diagnosis/index.ts';
import { usageError } from '../errors/command-error.ts';
import type { ConfigOptions } from '../process/config-file.ts';

/** Time to close what a check has left open, milliseconds. */
const TIMEOUT_MS = 2_000;

export interface ExamineOptions extends ConfigOptions {
  readonly nodes?: string;
  readonly thorough: boolean;
}

/** Running diagnosis; its subjects contain no secrets. */
export interface Examination {
  /** Undefined if the settings are invalid; then that is the only finding. */
  readonly config: Config | undefined;
  /** Sources of the settings. */
  readonly sources: Parameters<typeof loadConfig>[0];
  readonly redactor: Redactor;
  readonly subjects: AsyncGenerator<Diagnosis>;
}

/** @throws CommandError if the configuration file cannot be read */
export async function examine(options: ExamineOptions): Promise<Examination> {
  const configFile = resolve(options.config);
  const sources = { file: textOf(configFile), environment: process.env, flags: options.set };
  const redactor = await Redactor.fromSettings(sensitiveSettings(sources, dirname(configFile)), process.env);
  const config = configIn(sources, configFile);
  if (!('listeners' in config)) return { config: undefined, sources, redactor, subjects: told([config], redactor) };
  const nodes = options.nodes === undefined ? undefined : numberOf(options.nodes);
  const site = siteOfConfig({ config, configFile, isThorough: options.thorough, ...(nodes && { nodes }) });
  const found = diagnose(site, subjects(config));
  return { config, sources, redactor, subjects: told(found, redactor, () => site.close()) };
}

/**
 * Exits after the output is written. A hanging resource, such as a lost disk, must not block the program; its check
 * has already failed.
 */
export function endSoon(): void {
  setTimeout(() => process.exit(), TIMEOUT_MS).unref();
}

async function* told(
  found: Iterable<Diagnosis> | AsyncIterable<Diagnosis>,
  redactor: Redactor,
  end: () => Promise<void> = async () => {},
): AsyncGenerator<Diagnosis> {
  try {
    for await (const subject of found) yield redactor.value(subject);
  } finally {
    const late = new AbortController();
    await Promise.race([end(), wait(TIMEOUT_MS, undefined, late)]).finally(() => late.abort());
  }
}

/** @throws CommandError if it cannot be read */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(`cannot read ${file}: ${(error as Error).message}`);
  }
}

/** Returns the settings or their errors. */
function configIn(sources: Examination['sources'], file: string): Config | Diagnosis {
  try {
    return loadConfig(sources, dirname(file));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const settings: Diagnosis = {
      ...{ name: 'settings', found: 'the settings are invalid', detail: error.message },
      status: 'failure',
      advice: 'correct the settings; other checks need them. All settings: docs/reference/configuration.md',
    };
    return { name: 'configuration', status: 'failure', parts: [settings] };
  }
}

function numberOf(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw usageError(`--nodes ${text}: expected a number of at least 1`);
  return Number(text);
}
