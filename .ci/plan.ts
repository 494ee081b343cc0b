import { join } from 'node:path';
import type { Step } from './lanes.ts';
import { REPORTER, type Suite, suite } from './suites.ts';

const IN_BACKGROUND = ['nice', '-n', '19'];

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

export const reportOf = (folder: string, { name }: Suite): string => join(folder, `${name}.json`);

/** Returns the lanes, which run side by side. `folder` gets the reports. */
export function lanesIn(folder: string): readonly (readonly Step[])[] {
  const { test, postgres, console, consolePostgres, hostile, outage, clients, cluster, operations } = SUITES;
  const step = (of: Suite, after: readonly string[] = []) => stepOf(of, folder, after);
  return [
    [step(test), step(postgres), step(consolePostgres), step(operations, [CHARTS.name])],
    [step(outage), step(cluster), step(console), step(hostile), step(clients, [CLIENTS.name])],
    [CLIENTS, CHARTS],
    ['lint', 'types', 'imports', 'unused', 'language', 'docs'].map(check),
  ];
}

function stepOf(of: Suite, folder: string, after: readonly string[]): Step {
  const argv = ['sh', '-c', `${of.command} "$@"`, 'sh', '--reporter=default', `--reporter=${REPORTER}`];
  return { name: of.name, argv, env: { ...of.env, CI_REPORT: reportOf(folder, of) }, after };
}

function installation(name: string, module: string): Step {
  const program = `import install from '${module}'; install()`;
  return { name, argv: [...IN_BACKGROUND, 'node', '--input-type=module', '-e', program] };
}

const check = (script: string): Step => ({ name: script, argv: [...IN_BACKGROUND, 'npm', 'run', '--silent', script] });
