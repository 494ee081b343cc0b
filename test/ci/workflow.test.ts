import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(`${ROOT}/${path}`, 'utf8');

interface Job {
  readonly needs?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly run?: string; readonly env?: Readonly<Record<string, string>> }[];
}

const { on, permissions, jobs } = parse(read('.github/workflows/release.yml')) as {
  readonly on: object;
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
};
const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run = [] }) => run));

describe('the workflow of a release', () => {
  it('runs for tags only, and each job has only the permissions that it names', () => {
    expect(on).toEqual({ push: { tags: ['v*'] } });
    expect(permissions).toEqual({});
    const writing = Object.entries(jobs).filter(([, job]) => Object.values(job.permissions ?? {}).includes('write'));
    expect(writing.map(([name]) => name)).toEqual(['publish']);
  });

  it('calls scripts and options that exist', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const called = commands.flatMap((command) => [...command.matchAll(/npm run (\S+)/g)].map(([, name]) => name));
    expect(called).toContain('release');
    for (const name of called) expect(scripts).toHaveProperty(String(name));
    const release = commands.find((command) => command.includes('npm run release --')) ?? '';
    const options = [...release.matchAll(/(?<=\s)--([a-z][\w-]*)/g)].map(([, name]) => name);
    expect(options).toEqual(['public-key', 'repository', 'builder']);
    for (const option of options) expect(read('build/release/release.ts')).toMatch(new RegExp(`\\b${option}'?: {`));
  });

  it('publishes files under the names that the release gives them', () => {
    const published = commands.join('\n');
    for (const name of ['$name-$version-image-$processor.tar.gz', '$name-chart-$version.tgz'])
      expect(published).toContain(name);
    const made = read('build/release/release.ts');
    for (const name of ['-$' + '{version}-image-$' + '{process.arch}.tar.gz', '-chart-$' + '{version}.tgz'])
      expect(made).toContain(name);
    expect(
      globSync('deploy/helm/*', { cwd: ROOT })
        .map((path) => path.split('/').at(-1))
        .toSorted(),
    ).toEqual(['lockkeeper', 'lockkeeper-agent']);
  });

  it('logs in each program that writes to the registry, before it does', () => {
    const publish = commands.find((command) => command.includes('helm push')) ?? '';
    for (const [login, use] of [
      ['skopeo login ghcr.io', 'skopeo copy'],
      ['helm registry login ghcr.io', 'helm push'],
      ['docker login ghcr.io', 'docker buildx imagetools create'],
    ] as const) {
      expect(publish).toMatch(new RegExp(`\\| ${login} [^\n]*--password-stdin\n`));
      expect(publish.indexOf(login)).toBeLessThan(publish.indexOf(use));
    }
  });

  it('hands the key to the step that signs, in a job that runs no code of a dependency', () => {
    const withKey = Object.values(jobs).filter((job) => JSON.stringify(job).includes('secrets.'));
    expect(withKey).toEqual([jobs.sign]);
    const steps = jobs.sign?.steps.filter(({ run }) => run !== undefined) ?? [];
    expect(steps).toHaveLength(1);
    expect(JSON.stringify(steps[0]?.env)).toContain('secrets.RELEASE_KEY');
    expect(steps[0]?.run).not.toMatch(/\b(npm|npx)\b/);
    expect(jobs.publish?.needs).toBe('sign');
  });
});
