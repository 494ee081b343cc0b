import { lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { JobFolders } from '../isolation/isolation.ts';
import { JobFailure } from '../ports.ts';
import { STATE_FILE } from '../state/state-file.ts';
import { readUntrusted } from '../untrusted-file.ts';
import { quoted } from './variables-file.ts';

/** Data folder of an engine, in the working directory. */
const DATA = '.terraform';
/**
 * Folder in `.terraform` that is kept: modules may come with the configuration. Everything else is specific to the
 * machine that made it.
 */
const KEPT = 'modules';
/** File with the name of the selected workspace. */
const SELECTED = 'environment';
/** File with the backend in use. Despite its name it contains no state of the workspace. */
const IN_FORCE = 'terraform.tfstate';
const OVERRIDE = 'lockkeeper_override.tf';
/** Engines apply overrides in the order of their names. OpenTofu prefers `.tofu` to `.tf`. */
const IS_OVERRIDE = /^(override|.*_override)\.(tf|tofu)(\.json)?$/;
/** @limit name of an override file in a configuration, bytes -> the run fails with this reason */
const MAX_NAME = 200;
/** @limit file in which an engine stores its backend, bytes -> the run fails with this reason */
const MAX_IN_FORCE = 65_536;
/** Name of an engine's workspace if none is selected. */
const DEFAULT = 'default';

/** Settings of the `local` backend that keep the state in the folder of the job. */
interface Local {
  readonly path: string;
  readonly workspace_dir: string;
}

/**
 * Returns the backend settings of a job.
 * @param seen the folders as the engine sees them
 */
const local = ({ state }: JobFolders): Local => ({
  path: join(dirname(state), DEFAULT, STATE_FILE),
  workspace_dir: dirname(state),
});

/**
 * Makes the engine store the state in the folder of the job, even if the configuration has a `cloud` or `backend`
 * block. Engines have no option for that: an override file is the only way to replace such a block. The name of the
 * file sorts after all other override files, and no file of the configuration has it.
 * @param folder the working directory on this machine
 * @param seen the folders as the engine sees them
 * @throws JobFailure for an override file whose name is too long
 */
export function overrideBackend(folder: string, seen: JobFolders): void {
  const block = Object.entries(local(seen)).map(([name, value]) => `    ${name} = ${quoted(value)}\n`);
  const text = `terraform {\n  backend "local" {\n${block.join('')}  }\n}\n`;
  writeFileSync(join(folder, overrideName(readdirSync(folder))), text, { flag: 'wx' });
}

/**
 * Selects the workspace, so that `terraform.workspace` is its name, and the backend of the override. Both are stored in
 * `.terraform`: an old folder from another machine would decide where the engine looks for the state.
 * @param folder the working directory on this machine
 * @param seen the folders as the engine sees them
 */
export function selectWorkspace(folder: string, seen: JobFolders): void {
  cleanData(join(folder, DATA));
  writeFileSync(join(folder, DATA, SELECTED), basename(seen.state));
  // Imitates an earlier `init` with this backend. Otherwise `init` would look for a state to migrate, such as a
  // `terraform.tfstate` in the configuration.
  const backend = { type: 'local', config: local(seen), hash: 0 };
  const inForce = { version: 3, serial: 1, lineage: '', terraform_version: '0.12.0', backend };
  writeFileSync(join(folder, DATA, IN_FORCE), JSON.stringify(inForce));
}

/**
 * Checks that `init` has configured the backend of this agent and no other one.
 * @throws JobFailure if the engine would store the state elsewhere
 */
export function checkBackend(folder: string, seen: JobFolders): void {
  const { type, config } = backendInForce(join(folder, DATA, IN_FORCE));
  const { path, workspace_dir: states } = local(seen);
  if (type === 'local' && config?.path === path && config.workspace_dir === states) return;
  throw new JobFailure(
    `The configuration stores its state elsewhere${typeof type === 'string' ? ` (backend ${JSON.stringify(type.slice(0, 100))})` : ''}, so this workspace would not get it.  ` +
      'Remove override files that set a backend, and backend options in TF_CLI_ARGS_init',
  );
}

interface Backend {
  readonly type?: unknown;
  readonly config?: Partial<Local>;
}

function backendInForce(file: string): Backend {
  try {
    return JSON.parse(readUntrusted(file, MAX_IN_FORCE)).backend ?? {};
  } catch {
    return {};
  }
}

/**
 * Removes everything but modules from a `.terraform` folder of the archive. The folder was written on another machine:
 * it may name another backend or workspace, and contain programs.
 */
function cleanData(folder: string): void {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) rmSync(folder, { force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    if (name !== KEPT) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/**
 * Returns a file name that sorts after all other overrides. @throws JobFailure if an override has a name that is too
 * long for that
 */
function overrideName(names: readonly string[]): string {
  const others = names.filter((name) => IS_OVERRIDE.test(name)).map((name) => Buffer.from(name));
  const last = others.sort(Buffer.compare).at(-1)?.toString() ?? '';
  if (Buffer.byteLength(last) > MAX_NAME) {
    throw new JobFailure(
      `The name of the override file ${JSON.stringify(last.slice(0, 100))} is longer than ${MAX_NAME} bytes`,
    );
  }
  // `_` sorts after `.`, with which the extension of the other file starts.
  return `${last.split(/\.(?:tf|tofu)(?:\.json)?$/)[0] || 'zzzz'}_${OVERRIDE}`;
}
