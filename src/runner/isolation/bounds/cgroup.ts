import { randomUUID } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { JobBounds } from '../../../lib/job/bounds.ts';
import { type Bound, MEGABYTE } from './bounds.ts';

const ROOT = '/sys/fs/cgroup';
const CONTROLLERS = ['memory', 'pids', 'cpu'];
/** Group of the agent's own processes: a group with controllers must not contain processes. */
const OURS = 'lockkeeper-agent';
/** CPU weight of jobs: half the default, so that the agent and its machine stay responsive. */
const WEIGHT = '50';
/** Period of the CPU quota in `cpu.max`, in microseconds. */
const PERIOD = 100_000;

/**
 * Finds the control group (cgroup v2) that is delegated to this process, and moves its processes into a child group.
 * @returns undefined if no group is delegated
 */
export function delegatedGroup(root = ROOT): string | undefined {
  const own = /^0::(\/.*)$/m.exec(textOf('/proc/self/cgroup'))?.[1];
  if (own === undefined) return undefined;
  // After a restart in the same unit, the agent is already in the child group of its predecessor.
  const group = join(root, own.endsWith(`/${OURS}`) ? own.slice(0, -OURS.length) : own);
  // Root may write to every group. Only the group of a service or a container is delegated.
  const isOurs = process.getuid?.() !== 0 || own === '/' || /\.service(\/|$)/.test(own);
  if (!isOurs || !isWritable(join(group, 'cgroup.subtree_control'))) return undefined;
  try {
    mkdirSync(join(group, OURS), { recursive: true });
    for (const pid of textOf(join(group, 'cgroup.procs')).split('\n').filter(Boolean)) {
      writeFileSync(join(group, OURS, 'cgroup.procs'), pid);
    }
    writeFileSync(join(group, 'cgroup.subtree_control'), CONTROLLERS.map((one) => `+${one}`).join(' '));
    return group;
  } catch {
    return undefined;
  }
}

/**
 * Finds the group of this process in the `pids` controller of cgroup v1, which root may divide. Without it nothing
 * stops a fork bomb of an agent that runs as root: process limits do not apply to root, and polling is too slow.
 * @returns undefined if there is none
 */
export function legacyGroup(root = ROOT): string | undefined {
  const own = /^\d+:pids:(\/.*)$/m.exec(textOf('/proc/self/cgroup'))?.[1];
  if (own === undefined || process.getuid?.() !== 0) return undefined;
  const group = join(root, 'pids', own);
  return isWritable(join(group, 'cgroup.procs')) ? group : undefined;
}

/** Only groups of cgroup v1 have this file. */
const isLegacy = (group: string): boolean => existsSync(join(group, 'notify_on_release'));

/** A control group of one command. */
export class Group {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /**
   * Creates a group.
   * @param parent a delegated group, or one of cgroup v1. @throws Error if that fails
   */
  static make(parent: string, bounds: JobBounds): Group {
    removeAbandoned(parent);
    // Process ids are reused, so the name also has a random part.
    const path = join(parent, `job-${process.pid}-${randomUUID()}`);
    mkdirSync(path);
    const set = (file: string, value: string | number): void => writeFileSync(join(path, file), String(value));
    set('pids.max', bounds.processes);
    if (isLegacy(parent)) return new Group(path);
    set('memory.max', bounds.memory * MEGABYTE);
    // Some kernels do not account for swap.
    if (existsSync(join(path, 'memory.swap.max'))) set('memory.swap.max', 0);
    // The kernel kills the whole group: the other processes of a job are useless without its engine.
    set('memory.oom.group', 1);
    set('cpu.weight', WEIGHT);
    if (bounds.cpus !== null) set('cpu.max', `${Math.round(bounds.cpus * PERIOD)} ${PERIOD}`);
    return new Group(path);
  }

  /** Returns the command line that starts the command within the group. */
  within(command: readonly string[]): string[] {
    return ['/bin/sh', '-c', 'echo $$ >"$0" && exec "$@"', join(this.#path, 'cgroup.procs'), ...command];
  }

  /** Removes the group. @returns the bound that was hit */
  end(): Bound | undefined {
    const count = (file: string, event: string): number =>
      Number(new RegExp(`^${event} (\\d+)$`, 'm').exec(textOf(join(this.#path, file)))?.[1] ?? 0);
    const bound =
      count('memory.events', 'oom_kill') > 0
        ? 'job_memory'
        : count('pids.events', 'max') > 0
          ? 'job_processes'
          : undefined;
    try {
      rmdirSync(this.#path);
    } catch {
      // A process is still in the group. `removeAbandoned` removes the group after this process has ended.
    }
    return bound;
  }
}

/** Removes empty groups of processes that have ended: they were killed, or the group was not empty yet. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid] = /^job-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    try {
      rmdirSync(join(parent, name));
    } catch {
      // This error means that the group is in use, or that another process has removed it.
    }
  }
}

function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns an empty text if the file does not exist. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
