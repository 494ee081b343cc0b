import { join } from 'node:path';
import type { Group, Step } from './lanes.ts';
import { REPORTER, type Suite, suite } from './suites.ts';

/**
 * Priorities of steps in the background: checks get only time that is left, and installations get some of it always,
 * because suites wait for them. The tests of this program set another: a step that does nothing would wait for minutes
 * on a busy machine.
 */
const niceness = (usual: number) => ['nice', '-n', process.env.CI_NICENESS ?? String(usual)];
const CHECKING = niceness(19);
const INSTALLING = niceness(8);

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
 * Returns groups of steps. The suites share three lanes on two cores, because tests wait for half of their time: for
 * timeouts, intervals and other processes. Long suites come first. The other groups run in the background.
 */
export function groupsIn(folder: string): readonly Group[] {
  const { test, postgres, console, consolePostgres, hostile, outage, clients, cluster, operations } = SUITES;
  const step = (of: Suite, ...after: readonly Step[]) => stepOf(of, folder, after);
  const long = [step(outage), step(test, CONSOLE), step(console, CONSOLE), step(postgres, CONSOLE)];
  const middle = [step(operations, CONSOLE, CHARTS), step(clients, CLIENTS)];
  const short = [step(hostile), step(cluster), step(consolePostgres, CONSOLE)];
  return [
    { lanes: 3, steps: [CONSOLE, ...long, ...middle, ...short] },
    { lanes: 1, steps: [CLIENTS] },
    { lanes: 1, steps: [CHARTS, ...CHECKS.map(check)] },
  ];
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
  return { name, argv: [...INSTALLING, 'node', '--input-type=module', '-e', program] };
}

const check = (script: string): Step => ({ name: script, argv: [...CHECKING, 'npm', 'run', '--silent', script] });
