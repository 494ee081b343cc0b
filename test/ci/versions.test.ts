import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(`${ROOT}/${path}`, 'utf8');
const { version, engines, devDependencies } = JSON.parse(read('package.json'));
const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...globSync('docs/**/*.md', { cwd: ROOT })];

/** Returns `FILE: TEXT` of each match whose first group is another text. */
const others = (files: readonly string[], pattern: RegExp, wanted: string): string[] =>
  files.flatMap((file) =>
    [...read(file).matchAll(pattern)].filter(([, found]) => found !== wanted).map(([text]) => `${file}: ${text}`),
  );

describe('the version', () => {
  it('of the lock file and of the charts is that of package.json', () => {
    const lock = JSON.parse(read('package-lock.json'));
    expect([lock.version, lock.packages[''].version]).toEqual([version, version]);
    const charts = globSync('deploy/helm/*/Chart.yaml', { cwd: ROOT }).map((file) => parse(read(file)));
    expect(charts.map((chart) => [chart.version, chart.appVersion])).toEqual([
      [version, version],
      [version, version],
    ]);
  });

  it('in the guides is that of package.json', () => {
    const named = /\blockkeeper(?:-agent)?(?:-chart)?[-:](\d+\.\d+\.\d+)/g;
    expect(pages.filter((file) => read(file).search(named) >= 0).length).toBeGreaterThan(4);
    expect(others(pages, named, version)).toEqual([]);
  });
});

describe('Node.js', () => {
  const oldest = engines.node.replace('>=', '');
  const used = devDependencies.node;

  it('has one oldest version in package.json and in the guides', () => {
    const pattern = /Node\.js(?:,? |\n)(?:version )?(\d+(?:\.\d+)*) or later/g;
    expect(pages.filter((file) => read(file).search(pattern) >= 0).length).toBeGreaterThan(5);
    expect(others(pages, pattern, oldest)).toEqual([]);
  });

  it('is checked by the program with that version', () => {
    expect(read('src/start.ts')).toContain(`const OLDEST = '${oldest}';`);
  });

  it('has one version that the scripts run on, and that executables for all processors contain', () => {
    expect(process.versions.node).toBe(used);
    for (const file of globSync('build/release/node-*.json', { cwd: ROOT })) {
      expect(JSON.parse(read(file)).version, file).toBe(used);
    }
    const [minor] = /^\d+\.\d+/.exec(used) ?? [];
    expect(others(pages, /measured [^.\n]*with Node\.js (\d+\.\d+)/g, minor ?? '')).toEqual([]);
  });

  it('is the one of the oldest types that the sources use', () => {
    expect(devDependencies['@types/node']).toMatch(new RegExp(`^\\^${oldest.split('.')[0]}\\.`));
  });
});
