import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type AgentConfig, agentSchema, ConfigError, loadAgentConfig } from '../../config/index.ts';
import { usageError } from '../errors/command-error.ts';
import type { AgentCommandOptions } from './agent-options.ts';

/** Merges settings: flags override the environment, which overrides the file. @throws CommandError */
export function readSettings(options: AgentCommandOptions): AgentConfig {
  try {
    const sources = { file: fileOf(options.config), environment: process.env, flags: flagsOf(options) };
    return loadAgentConfig(sources, options.job === undefined);
  } catch (error) {
    if (error instanceof ConfigError) throw usageError(`The agent cannot start:\n${error.message}`);
    throw error;
  }
}

function fileOf(path: string | undefined): { readonly text: string; readonly folder: string } | null {
  if (path === undefined) return null;
  const file = resolve(path);
  try {
    return { text: readFileSync(file, 'utf8'), folder: dirname(file) };
  } catch (error) {
    throw usageError(`cannot read ${path}: ${(error as Error).message}`);
  }
}

/** Maps flags to settings: `--ca-cert` sets `ca_cert`. */
function flagsOf(options: AgentCommandOptions): Record<string, string | undefined> {
  const flag = (key: string): string => key.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const told = Object.keys(agentSchema.properties).map((key) => [key, options[flag(key)]] as const);
  return Object.fromEntries(told.filter((one): one is readonly [string, string] => typeof one[1] === 'string'));
}
