import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { type Config, ConfigError, loadConfig } from '../../config/index.ts';
import { usageError } from '../errors/command-error.ts';

export interface ConfigOptions {
  readonly config: string;
  readonly set: readonly string[];
}

/** Options of commands that work with the configuration and databases. */
export function withConfig(command: Command): Command {
  const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];
  return command
    .requiredOption('--config <file>', 'configuration file (YAML)')
    .option('--set <key=value>', 'override one setting; repeatable', collect, []);
}

/** @throws CommandError with the path of the file; the exit code is that of an invalid command line */
export function readConfigFile({ config: path, set }: ConfigOptions): Config {
  const file = resolve(path);
  try {
    return loadConfig({ file: readFileSync(file, 'utf8'), environment: process.env, flags: set }, dirname(file));
  } catch (error) {
    if (error instanceof ConfigError) throw usageError(`${path} is not valid:\n${error.message}`);
    if ((error as NodeJS.ErrnoException).code) throw usageError(`cannot read ${path}: ${(error as Error).message}`);
    throw error;
  }
}
