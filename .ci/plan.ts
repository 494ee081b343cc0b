import { join } from 'node:path';
import type { Lane, Step } from './lanes.ts';
import { REPORTER, type Suite, suite } from './suites.ts';

/** The tests of this program set another level: a step that does nothing would wait for minutes on a busy machine. */
const IN_BACKGROUND = ['nice', '-n', process.env.CI_NICENESS ?? '19'];

export const SUITES = {
  test: suite('test', 'test'),
  postgres: suite('postgres', 'test:postgres'),
  console: suite('console', 'test:console', { CI: '1' }),
  consolePostgres: suite('console-postgres', 'test:console:postgres', { CI: '1' }),
  hostile: suite('hostile', 'test:hostile'),
  outage: suite('outage', 'test:outage'),
  clients: suite('clients', 'test:clients'),
  cluster: suite('cluster', 'test:cluster'),
  operations: suite('operations', 'test:operations'),
};

/** Third-party clients. To build OpenTofu from its module takes four minutes of CPU time. */
const CLIENTS = installation('clients are installed', './test/clients/support/installation.ts');
/** Helm and kubeconform, which take a minute of CPU time. */
const CHARTS = installation('tools for charts are installed', './test/operations/charts/installation.ts');

/** The suites of the console and of the package share its files, so nothing builds them later. */
const CONSOLE: Step = { name: 'console is built', argv: ['node', 'build/console.ts', '--compress'] };
const CHECKS = ['lint', 'types', 'imports', 'unused', 'language', 'docs'];

export const reportOf = (folder: string, { name }: Suite): string => join(folder, `${name}.json`);

/**
 * Returns groups of lanes. The first group has two lanes for two cores: suites that keep a core busy, and suites that
 * wait for most of their time. The other groups run in the background.
 */
export function groupsIn(folder: string): readonly (readonly Lane[])[] {
  const { test, postgres, console, consolePostgres, hostile, outage, clients, cluster, operations } = SUITES;
  const step = (of: Suite, ...after: readonly Step[]) => stepOf(of, folder, after);
  const busy = [CONSOLE, step(test), step(postgres), step(console), step(consolePostgres)];
  const waiting = [step(outage), step(cluster), step(operations, CHARTS), step(hostile), step(clients, CLIENTS)];
  return [[busy, waiting], [[CLIENTS]], [[CHARTS, ...CHECKS.map(check)]]];
}

/**
 * Time after which a test counts as hanging, in milliseconds, in place of the suite's own. A neighbour makes a test take
 * a few times longer than alone.
 */
export const HANGS_AFTER: Readonly<Record<string, number>> = {
  test: 120_000,
  postgres: 120_000,
  console: 180_000,
  'console-postgres': 180_000,
  outage: 480_000,
};

function stepOf(of: Suite, folder: string, after: readonly Step[]): Step {
  const timeout = HANGS_AFTER[of.name];
  const flags = ['--reporter=default', `--reporter=${REPORTER}`, ...(timeout ? [`--testTimeout=${timeout}`] : [])];
  const argv = ['sh', '-c', `${of.command} "$@"`, 'sh', ...flags];
  const env = { ...of.env, CI_REPORT: reportOf(folder, of) };
  return { name: of.name, argv, env, after: after.map(({ name }) => name) };
}

function installation(name: string, module: string): Step {
  const program = `import install from '${module}'; install()`;
  return { name, argv: [...IN_BACKGROUND, 'node', '--input-type=module', '-e', program] };
}

const check = (script: string): Step => ({ name: script, argv: [...IN_BACKGROUND, 'npm', 'run', '--silent', script] });
