import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { cliPage } from '../docs/generate-cli.ts';
import { configurationPage } from '../docs/generate-configuration.ts';
import { limitsPage, namedBounds } from '../docs/generate-limits.ts';
import { alertRules, dashboardFile, metricsPage } from '../docs/generate-monitoring.ts';
import { ALERTS, runbookOf } from '../docs/monitoring/alerts.ts';
import { anchorsOf, linksOf } from '../docs/site/markdown.ts';
import { loadConfig } from '../src/config/index.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const pages = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.md') && !/(?:^|\/)(?:node_modules|\.git|dist|website)\//.test(path),
);

describe('the documentation', () => {
  it('lists the settings of the schema (node docs/generate-configuration.ts writes the page)', () => {
    expect(read('docs/reference/configuration.md')).toBe(configurationPage());
  });

  it('lists the limits in the sources (node docs/generate-limits.ts writes the page)', () => {
    expect(read('docs/reference/limits.md')).toBe(limitsPage());
  });

  it('lists every constant whose name marks it as a limit (its comment has `@limit`)', () => {
    const bounds = namedBounds();
    expect(bounds.filter(({ isListed }) => !isListed)).toEqual([]);
    expect(bounds.length).toBeGreaterThan(100);
  });

  it('lists each limit once: parts with equal limits share a constant', () => {
    const rows = [
      ...limitsPage().matchAll(/^\| (?!What |Of these|Of them|One of them)([^|]+) \| [\d,.]+ ([^|]+) \|/gm),
    ];
    const said = rows.map(([, what, unit]) => `${what}, ${/^(?:[KMG]iB|bytes)$/.test(unit ?? '') ? 'bytes' : unit}`);
    expect(rows.length).toBeGreaterThan(400);
    expect(said.filter((one, at) => said.indexOf(one) < at)).toEqual([]);
  });

  it('names only existing settings beside limits', () => {
    const named = [...read('docs/reference/limits.md').matchAll(/ \| `(limits\.\w+)` \| /g)].map(([, key]) => key);
    for (const key of named) expect(configurationPage()).toContain(`| \`${key}\` |`);
    expect(named).toContain('limits.connections');
  });

  it('lists the commands and options of the program (node docs/generate-cli.ts writes the page)', async () => {
    expect(read('docs/reference/cli.md')).toBe(await cliPage());
  });

  it('has the alert rules, the dashboard and the reference of the metrics table (node docs/generate-monitoring.ts writes them)', () => {
    expect(read('docs/operations/monitoring/alerts.yaml')).toBe(alertRules());
    expect(read('docs/operations/monitoring/dashboard.json')).toBe(dashboardFile());
    expect(read('docs/reference/metrics.md')).toBe(metricsPage());
  });

  it('has a runbook for each alert, and no other', () => {
    const runbooks = read('docs/operations/runbooks.md').split(/^## /m).slice(1);
    const headings = runbooks.map((text) => text.split('\n')[0] ?? '');
    expect(headings.toSorted()).toEqual(ALERTS.map(({ name }) => name).toSorted());
    for (const text of runbooks) for (const part of ['Meaning', 'Check', 'Fix']) expect(text).toContain(`**${part}.**`);
    for (const alert of ALERTS) {
      const [file = '', heading] = runbookOf(alert).split('#');
      expect(read(file)).toMatch(new RegExp(`^## ${heading}$`, 'im'));
    }
  });

  it('shows configurations that the server accepts', () => {
    const [example = ''] = /```yaml\n(listeners:[\s\S]*?)```/.exec(read('docs/guides/first-server.md'))?.slice(1) ?? [];
    const config = loadConfig({ file: example, environment: {}, flags: [] }, '/etc/lockkeeper');
    expect(config.listeners).toHaveLength(2);
  });

  it.each(pages)('%s links to files and headings that exist', (page) => {
    const targets = linksOf(read(page)).filter((target) => !/^(?:https?|mailto):/.test(target));
    const missing = targets.filter((target) => {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : join(dirname(page), path);
      if (!existsSync(join(ROOT, file)) || statSync(join(ROOT, file)).isDirectory()) return true;
      return anchor !== undefined && file.endsWith('.md') && !anchorsOf(read(file)).has(anchor);
    });
    expect(missing).toEqual([]);
  });

  it('has each page in the index (docs/README.md)', () => {
    const listed = new Set(linksOf(read('docs/README.md')).map((target) => join('docs', target.split('#')[0] ?? '')));
    const missing = pages.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md' && !listed.has(page));
    expect(missing).toEqual([]);
  });

  it('reads links and headings as GitHub does', () => {
    const text =
      '# A `b_c`: d, *e*\n\n## A\n\n## A\n\n```sh\n# no heading [x](y)\n```\n\n[a](b(c).md#d) `[e](f)` ![g](h.png "i")';
    expect([...anchorsOf(text)]).toEqual(['a-b_c-d-e', 'a', 'a-1']);
    expect(linksOf(text)).toEqual(['b(c).md#d', 'h.png']);
  });
});
