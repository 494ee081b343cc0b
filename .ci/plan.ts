import { join } from 'node:path';
import type { Group, Step } from './lanes.ts';
import { REPORTER, type Suite, suite } from './suites.ts';

/**
 * Priorities of steps in the background: checks get only time that is left, and installations nearly as much as suites,
 * because suites wait for them, and must not run alone at the end. The tests of this program set another: a step that
 * does nothing would wait for minutes on a busy machine.
 */
const niceness = (usual: number) => ['nice', '-n', process.env.CI_NICENESS ?? String(usual)];
const CHECKING = niceness(19);
const INSTALLING = niceness(2);

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

/** Folder of the bundled program, from the root. */
const PROGRAM_FOLDER = 'node_modules/.cache/lockkeeper-ci-program';

/** Third-party clients. To build OpenTofu from its module takes four minutes of CPU time. */
const CLIENTS = installation('clients are installed', './test/clients/support/installation.ts');
/** Helm and kubeconform, which take a minute of CPU time. */
const CHARTS = installation('tools for charts are installed', './test/operations/charts/installation.ts');

/** The suites of the console and of the package share its files, so nothing builds them later. */
const CONSOLE: Step = { name: 'console is built', argv: ['node', 'build/console.ts', '--compress'] };
/** The suites that start the program share it. */
const PROGRAM: Step = { name: 'program is bundled', argv: ['node', 'test/support/program.ts', PROGRAM_FOLDER] };
const CHECKS = ['lint', 'types', 'imports', 'unused', 'language', 'docs'];

export const reportOf = (folder: string, { name }: Suite): string => join(folder, `${name}.json`);

/**
 * Returns groups of steps. Tests wait for half of their time: for timeouts, intervals and other processes. So two lanes
 * of suites with few workers run beside a lane of the two suites with the most files and workers, which keep both cores
 * busy to the end. The other groups run in the background.
 */
export function groupsIn(folder: string): readonly Group[] {
  const { test, postgres, console, consolePostgres, hostile, outage, clients, cluster, operations } = SUITES;
  const step = (of: Suite, ...after: readonly Step[]) => stepOf(of, folder, after);
  const wide = [step(test, CONSOLE, PROGRAM), step(postgres, CONSOLE, PROGRAM)];
  const long = [step(clients, CLIENTS, PROGRAM), step(console, CONSOLE), step(outage, PROGRAM)];
  const middle = [step(operations, CONSOLE, CHARTS, PROGRAM), step(hostile, PROGRAM)];
  const short = [step(cluster, PROGRAM), step(consolePostgres, CONSOLE)];
  return [
    { lanes: 1, steps: [PROGRAM, ...wide] },
    { lanes: 2, steps: [CONSOLE, ...long, ...middle, ...short] },
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
  const env = { ...of.env, CI_REPORT: reportOf(folder, of), LOCKKEEPER_TEST_PROGRAM: PROGRAM_FOLDER };
  return { name: of.name, argv, env, after: after.map(({ name }) => name) };
}

function installation(name: string, module: string): Step {
  const program = `import install from '${module}'; install()`;
  return { name, argv: [...INSTALLING, 'node', '--input-type=module', '-e', program] };
}

const check = (script: string): Step => ({ name: script, argv: [...CHECKING, 'npm', 'run', '--silent', script] });
