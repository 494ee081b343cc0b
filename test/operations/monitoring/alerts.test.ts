import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { alertRules } from '../../../docs/generate-monitoring.ts';
import { ALERTS } from '../../../docs/monitoring/alerts.ts';
import { type AlertCase, CASES } from './support/alert-cases.ts';

const run = promisify(execFile);
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockkeeper-rules-'));
  writeFileSync(join(folder, 'alerts.yaml'), alertRules());
});
afterAll(() => rmSync(folder, { recursive: true }));

/** @throws Error with the output of promtool */
async function tried(name: string, tests: readonly object[], every = '1m'): Promise<string> {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(file, stringify({ rule_files: ['alerts.yaml'], evaluation_interval: every, tests }));
  const { stdout } = await run('promtool', ['test', 'rules', file]).catch((error) => {
    throw new Error(`${error.stdout}${error.stderr}`);
  });
  return stdout;
}

/** Expects exactly these alerts of that name at that moment. */
function expected({ name, at, labels, every = '1m' }: AlertCase, series: AlertCase['fires'], fires: boolean): object {
  const { severity } = ALERTS.find((alert) => alert.name === name) ?? {};
  const all = { ...labels, alertname: name, alertstate: 'firing', severity };
  const text = Object.entries(all).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return {
    interval: every,
    input_series: Object.entries(series).map(([of, values]) => ({ series: of, values })),
    promql_expr_test: [
      {
        expr: `ALERTS{alertname="${name}",alertstate="firing"}`,
        eval_time: at,
        exp_samples: fires ? [{ labels: `ALERTS{${text.join(',')}}`, value: 1 }] : [],
      },
    ],
  };
}

test('Prometheus accepts the rules', async () => {
  const { stdout } = await run('promtool', ['check', 'rules', join(folder, 'alerts.yaml')]);
  expect(stdout).toContain(`SUCCESS: ${ALERTS.length} rules found`);
});

test('each rule has a test in which it fires and a test in which it does not', () => {
  expect([...new Set(CASES.map(({ name }) => name))].toSorted()).toEqual(ALERTS.map(({ name }) => name).toSorted());
});

test.each(CASES)('$name fires, and does not fire for less', async (one) => {
  const both = [expected(one, one.fires, true), expected(one, one.silent, false)];
  expect(await tried(one.name, both, one.every)).toContain('SUCCESS');
});

test('the tests fail for a rule that does not fire as expected', async () => {
  const [one] = CASES;
  if (!one) throw new Error('there is no case');
  await expect(tried('wrong', [expected(one, one.fires, false)])).rejects.toThrow('FAILED');
  await expect(tried('wrong', [expected(one, one.silent, true)])).rejects.toThrow('FAILED');
});

test('the recipient of an alert reads the pool, and a link to the steps to take', async () => {
  const series = {
    'lockkeeper_jobs_waiting{job="lockkeeper",instance="one",organization="acme",pool="build"}': '1x20',
  };
  const alert = {
    eval_time: '15m',
    alertname: 'LockkeeperNoAgents',
    exp_alerts: [
      {
        exp_labels: { severity: 'warning', organization: 'acme', pool: 'build' },
        exp_annotations: {
          summary: 'Jobs wait in pool build acme, which has no active agent',
          runbook_url: 'docs/operations/runbooks.md#lockkeepernoagents',
        },
      },
    ],
  };
  const input = Object.entries(series).map(([of, values]) => ({ series: of, values }));
  expect(await tried('told', [{ interval: '1m', input_series: input, alert_rule_test: [alert] }])).toContain('SUCCESS');
});
