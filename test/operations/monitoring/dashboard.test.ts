import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { dashboardFile } from '../../../docs/generate-monitoring.ts';
import { ALERTS } from '../../../docs/monitoring/alerts.ts';
import { SERIES_LABELS } from '../../../docs/monitoring/metrics.ts';
import { namedSeries } from './support/expressions.ts';

interface Target {
  readonly refId: string;
  readonly expr: string;
  readonly legendFormat: string;
  readonly datasource: { readonly uid: string };
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number };
  readonly targets?: readonly Target[];
  readonly fieldConfig?: { readonly defaults: { readonly unit: string } };
}

const DASHBOARD = JSON.parse(dashboardFile());
const ALL: readonly Panel[] = DASHBOARD.panels;
const PANELS = ALL.filter(({ type }) => type !== 'row');
const EXPRESSIONS = PANELS.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** Fills in the chosen variables as Grafana does. */
const chosen = (expr: string) =>
  expr.replaceAll('$job', 'lockkeeper').replaceAll('$instance', '.*').replaceAll('$__rate_interval', '1m');

test('selected variables are in the lists of choices', () => {
  expect(DASHBOARD.schemaVersion).toBeGreaterThanOrEqual(39);
  const names = DASHBOARD.templating.list.map(({ name }: { name: string }) => name);
  expect(names).toEqual(['datasource', 'job', 'instance']);
  const used = EXPRESSIONS.flatMap((expr) => [...expr.matchAll(/\$(\w+)/g)].map(([, name]) => name));
  expect([...new Set(used)].toSorted()).toEqual(['__rate_interval', 'instance', 'job']);
});

test('each panel has an id, a position, a unit, and series with distinct legends', () => {
  expect(new Set(ALL.map(({ id }) => id)).size).toBe(ALL.length);
  const cells = ALL.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(Math.max(...ALL.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
  for (const { title, description, targets = [], fieldConfig } of PANELS) {
    expect(description, title).toMatch(/\.$/);
    expect(fieldConfig?.defaults.unit, title).toBeTruthy();
    expect(new Set(targets.map(({ refId }) => refId)).size, title).toBe(targets.length);
    expect(new Set(targets.map(({ legendFormat }) => legendFormat)).size, title).toBe(targets.length);
    for (const { legendFormat, datasource } of targets) {
      expect(legendFormat, title).not.toBe('');
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana fills it in
      expect(datasource.uid).toBe('${datasource}');
    }
  }
});

test('Prometheus can parse every expression', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-dashboard-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'expressions.yaml');
  const rules = EXPRESSIONS.map((expr, index) => ({ record: `panel:${index}`, expr: chosen(expr) }));
  writeFileSync(file, stringify({ groups: [{ name: 'panels', rules }] }));
  const { stdout } = await promisify(execFile)('promtool', ['check', 'rules', file]);
  expect(stdout).toContain(`SUCCESS: ${EXPRESSIONS.length} rules found`);
  // The check does fail for an expression that cannot be parsed.
  writeFileSync(file, stringify({ groups: [{ name: 'panels', rules: [{ record: 'a', expr: 'sum(' }] }] }));
  await expect(promisify(execFile)('promtool', ['check', 'rules', file])).rejects.toThrow();
});

test('panels and alerts name existing metrics and labels', () => {
  for (const expr of [...EXPRESSIONS, ...ALERTS.map((alert) => alert.expr)]) {
    const named = namedSeries(expr);
    expect(named.length, expr).toBeGreaterThan(0);
    expect(
      named.filter((series) => !SERIES_LABELS.has(series)),
      expr,
    ).toEqual([]);
    const known = new Set(['job', 'instance', ...named.flatMap((series) => SERIES_LABELS.get(series) ?? [])]);
    const labels = [...expr.matchAll(/\b(\w+)(?:=~|!~|!=|=)"|(?:by|on) \(([^)]*)\)/g)].flatMap(([, one, many]) =>
      one ? [one] : (many ?? '').split(',').map((label) => label.trim()),
    );
    expect(
      labels.filter((label) => !known.has(label)),
      expr,
    ).toEqual([]);
  }
});

test('a legend uses only labels that its expression keeps', () => {
  for (const { targets = [] } of PANELS) {
    for (const { expr, legendFormat } of targets) {
      const kept = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/, ?/));
      const isPlain = !/by \(/.test(expr);
      for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) {
        expect(isPlain || kept.includes(label), `${expr}: ${label}`).toBe(true);
      }
    }
  }
});
