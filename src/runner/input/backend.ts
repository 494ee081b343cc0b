import { lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { JobFolders } from '../isolation/isolation.ts';
import { JobFailure } from '../ports.ts';
import { STATE_FILE } from '../state/state-file.ts';
import { readUntrusted } from '../untrusted-file.ts';
import { quoted } from './variables-file.ts';

/** The folder of an engine in the working directory. */
const DATA = '.terraform';
/** Modules that come with a configuration are used; everything else in `.terraform` is from somebody's own machine. */
const KEPT = 'modules';
/** Names which workspace is selected. */
const SELECTED = 'environment';
/** Says which backend is in force, not the state of the workspace. */
const IN_FORCE = 'terraform.tfstate';
const OVERRIDE = 'lockkeeper_override.tf';
/** Overrides are applied in the order of their names. OpenTofu reads `.tofu` in place of `.tf`. */
const IS_OVERRIDE = /^(override|.*_override)\.(tf|tofu)(\.json)?$/;
/** @limit the name of an override file in a configuration, bytes -> the run fails, and says so */
const MAX_NAME = 200;
/** @limit the file in which an engine keeps which backend it uses, bytes -> the run fails, and says so */
const MAX_IN_FORCE = 65_536;
/** The workspace of an engine that has none selected. */
const DEFAULT = 'default';

/** Settings of the `local` backend that keep the state in the folder of the job. */
interface Local {
  readonly path: string;
  readonly workspace_dir: string;
}

/** @param seen the folders as the engine sees them */
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
 * Selects the workspace, so that `terraform.workspace` is its name, and the backend that the override names. Both are kept in `.terraform`:
 * what was there came from another machine, and would decide where the state is looked for.
 * @param folder the working directory on this machine
 * @param seen the folders as the engine sees them
 */
export function selectWorkspace(folder: string, seen: JobFolders): void {
  cleanData(join(folder, DATA));
  writeFileSync(join(folder, DATA, SELECTED), basename(seen.state));
  // As if `init` had been here with this backend: it looks for no other state then, such as a `terraform.tfstate` that somebody left.
  const backend = { type: 'local', config: local(seen), hash: 0 };
  const inForce = { version: 3, serial: 1, lineage: '', terraform_version: '0.12.0', backend };
  writeFileSync(join(folder, DATA, IN_FORCE), JSON.stringify(inForce));
}

/**
 * Checks that `init` has put our backend in force, and no other one.
 * @throws JobFailure where the state would be kept elsewhere
 */
export function checkBackend(folder: string, seen: JobFolders): void {
  const { type, config } = backendInForce(join(folder, DATA, IN_FORCE));
  const { path, workspace_dir: states } = local(seen);
  if (type === 'local' && config?.path === path && config.workspace_dir === states) return;
  throw new JobFailure(
    `The configuration keeps its state elsewhere${typeof type === 'string' ? ` (backend ${JSON.stringify(type.slice(0, 100))})` : ''}, where this workspace would not have it. ` +
      'Remove override files that set a backend, and options for it in TF_CLI_ARGS_init',
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

/** A name that comes after those of all other overrides. @throws JobFailure for one that is too long for that */
function overrideName(names: readonly string[]): string {
  const others = names.filter((name) => IS_OVERRIDE.test(name)).map((name) => Buffer.from(name));
  const last = others.sort(Buffer.compare).at(-1)?.toString() ?? '';
  if (Buffer.byteLength(last) > MAX_NAME) {
    throw new JobFailure(
      `The override file ${JSON.stringify(last.slice(0, 100))} has a name of more than ${MAX_NAME} bytes`,
    );
  }
  // `_` comes after the `.` of what the other one ends with.
  return `${last.split(/\.(?:tf|tofu)(?:\.json)?$/)[0] || 'zzzz'}_${OVERRIDE}`;
}
