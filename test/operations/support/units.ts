import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const UNITS = fileURLToPath(new URL('../../../deploy/systemd', import.meta.url));

export const unitFile = (name: string): string => `${UNITS}/${name}.service`;

/** Exposure level of a unit as `systemd-analyze security` calculates it: from 0 to 10. */
export function exposure(name: string): number {
  const told = analyze('security', '--offline=yes', '--no-pager', unitFile(name));
  return Number(/Overall exposure level for .+: (\d+\.\d) /.exec(told)?.[1]);
}

/** System calls that a unit may not make. */
export function deniedCalls(name: string): string[] {
  const filters = [...readFileSync(unitFile(name), 'utf8').matchAll(/^SystemCallFilter=(~?)(.+)$/gm)];
  const allowed = new Set<string>();
  for (const [, not, groups = ''] of filters)
    for (const call of groups.split(' ').flatMap(callsOf)) not ? allowed.delete(call) : allowed.add(call);
  return callsOf('@known').filter((call) => !allowed.has(call));
}

function callsOf(group: string): string[] {
  if (!group.startsWith('@')) return [group];
  const lines = analyze('syscall-filter', group).split('\n').slice(1);
  return lines.map((line) => line.trim()).flatMap((line) => (line === '' || line.startsWith('#') ? [] : callsOf(line)));
}

function analyze(...args: string[]): string {
  return execFileSync('systemd-analyze', args, { encoding: 'utf8' });
}
