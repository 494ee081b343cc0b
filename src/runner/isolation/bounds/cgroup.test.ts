import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEFAULT_BOUNDS } from '../../../lib/job/bounds.ts';
import { delegatedGroup, Group } from './cgroup.ts';

const own = /^0::(\/.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1];

/** A folder with the files of a control group that are read or written. */
function pretended(): string {
  const group = join(mkdtempSync(join(tmpdir(), 'cgroup-')), own ?? '');
  mkdirSync(group, { recursive: true });
  return group;
}

test.skipIf(own !== '/')('a delegated group is divided; any other group stays unchanged', () => {
  const root = pretended();
  expect(delegatedGroup(root)).toBeUndefined();
  for (const file of ['cgroup.subtree_control', 'cgroup.procs']) writeFileSync(join(root, file), '');
  writeFileSync(join(root, 'cgroup.procs'), '17\n');
  expect(delegatedGroup(root)).toBe(root);
  expect(readFileSync(join(root, 'cgroup.subtree_control'), 'utf8')).toBe('+memory +pids +cpu');
  // The processes move to a child group, because the kernel otherwise refuses controllers.
  expect(readFileSync(join(root, 'lockkeeper-agent', 'cgroup.procs'), 'utf8')).toBe('17');
});

test('the group of a command has all bounds, and shows which one was hit', () => {
  const parent = pretended();
  const bounds = { ...DEFAULT_BOUNDS, memory: 256, processes: 50, cpus: 1.5 };
  const group = Group.make(parent, bounds);
  const [, , , joins = ''] = group.within(['true']);
  const folder = join(joins, '..');
  const value = (file: string): string => readFileSync(join(folder, file), 'utf8');
  expect(value('memory.max')).toBe('268435456');
  expect(value('memory.oom.group')).toBe('1');
  expect(value('pids.max')).toBe('50');
  expect(value('cpu.max')).toBe('150000 100000');
  expect(Number(value('cpu.weight'))).toBeLessThan(100);

  writeFileSync(join(folder, 'memory.events'), 'low 0\nmax 3\noom 0\noom_kill 0\noom_group_kill 0\n');
  writeFileSync(join(folder, 'pids.events'), 'max 0\n');
  expect(group.end()).toBeUndefined();
  writeFileSync(join(folder, 'pids.events'), 'max 2\n');
  expect(group.end()).toBe('job_processes');
  writeFileSync(join(folder, 'memory.events'), 'low 0\nmax 3\noom 1\noom_kill 1\noom_group_kill 1\n');
  expect(group.end()).toBe('job_memory');
  rmSync(folder, { recursive: true });
  expect(group.end()).toBeUndefined();
  expect(existsSync(folder)).toBe(false);
});

test('a group of cgroup v1 has the bound of processes', () => {
  const parent = pretended();
  writeFileSync(join(parent, 'notify_on_release'), '0\n');
  const group = Group.make(parent, { ...DEFAULT_BOUNDS, processes: 50 });
  const [, , , joins = ''] = group.within(['true']);
  const folder = join(joins, '..');
  expect(readFileSync(join(folder, 'pids.max'), 'utf8')).toBe('50');
  expect(existsSync(join(folder, 'memory.max'))).toBe(false);
  writeFileSync(join(folder, 'pids.events'), 'max 3\n');
  expect(group.end()).toBe('job_processes');
});

test('groups of ended processes are removed, those of live processes stay', () => {
  const parent = pretended();
  const [ended, living] = [join(parent, `job-${2 ** 22 + 1}-1`), join(parent, `job-${process.ppid}-1`)];
  mkdirSync(ended);
  mkdirSync(living);
  Group.make(parent, DEFAULT_BOUNDS);
  expect([existsSync(ended), existsSync(living)]).toEqual([false, true]);
});
