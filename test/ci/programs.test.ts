import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesThatNeed } from '../support/machine/programs.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
// Names of programs are not the first arguments of calls here: the rule would leave out this file as well.
const SHELL = 'sh';
const GIT = 'git';
const PROGRAMS = 'git openssl curl'.split(' ');
const OTHERS = ['clients', 'cluster', 'console', 'hostile', 'operations', 'outage'].map((suite) => `test/${suite}/**`);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockkeeper-programs-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(files: Readonly<Record<string, string>>, mode = 0o644): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode });
  }
}

describe('a test file that needs a program', () => {
  it('starts it, has it in a script, or imports a module that does', () => {
    write({
      'test/support/tool.ts': `const child = execFile(\n  'tool', args, options);`,
      'test/support/provider.ts': `import {\n  type Repository,\n  start,\n} from './tool.ts';`,
      'test/imports.test.ts': `import { provider } from './support/provider.ts';`,
      'test/again.test.ts': `export { provider } from './support/provider.ts';`,
      'test/later.test.ts': `const { provider } = await import('./support/provider.ts');`,
      'test/starts.test.ts': `run('tool', ['init']);`,
      'test/wrapped.test.ts': `const within = ['tool', 'annex'];`,
      'test/pastes.test.ts': `const line = /^tool /m.exec(printed);\nexecFileSync('${SHELL}', ['-c', line]);`,
      'src/near.test.ts': `import { provider } from '../test/support/provider.ts';`,
      'test/types.test.ts': `import type { Repository } from './support/tool.ts';`,
      'test/mentions.test.ts': `// tool\nconst kind = providerOf('tool', 'token');`,
      'test/shell.test.ts': `execFileSync('${SHELL}', ['-c', 'exit 3']);`,
      'test/other/starts.test.ts': `run('tool', ['init']);`,
    });
    expect(filesThatNeed('tool', ['test/other/**'], folder)).toEqual([
      'src/near.test.ts',
      ...['again', 'imports', 'later', 'pastes', 'starts', 'wrapped'].map((name) => `test/${name}.test.ts`),
    ]);
  });

  // A new program: add it to test/support/machine/programs.ts, or skip its tests where it is missing. Then add it here.
  it('starts no program that the rule does not know', () => {
    const files = ['test/**/*.ts', '{src,console/src}/**/*.test.ts'];
    const texts = globSync(files, { cwd: ROOT, exclude: [...OTHERS, 'test/ci/programs.test.ts'] }).map((file) =>
      readFileSync(join(ROOT, file), 'utf8'),
    );
    const started = texts.flatMap((text) =>
      [...text.matchAll(/\b(?:execFile|spawn)(?:Sync)?\(\s*'([^']+)'/g)].map(([, program]) => program),
    );
    const everywhere = ['/bin/sh', 'bash', 'chown', 'find', 'mkfifo', 'ps', 'sh', 'which'];
    const skipped = ['/usr/sbin/pgbouncer', 'ip', 'ssh-keygen'];
    const others = [...new Set(started)].filter((program) => !PROGRAMS.includes(program ?? ''));
    expect(others.toSorted()).toEqual([...everywhere, ...skipped].toSorted());
  });
});

describe('a machine without a program', () => {
  const missing = (path: string, environment: Readonly<Record<string, string>> = {}) => {
    const { CI: _, LOCKKEEPER_TEST_ROUNDS: __, LOCKKEEPER_TEST_POSTGRES: ___, ...inherited } = process.env;
    const args = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'list', '--filesOnly'];
    const env = { ...inherited, PATH: join(folder, path), NO_COLOR: '1', ...environment };
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: ROOT, env, encoding: 'utf8' });
    const files = stdout.split('\n').filter((line) => line.includes('.test.ts'));
    return { status, files: files.map((line) => line.replace(/^\[.*\] /, '')), stderr };
  };

  beforeAll(() => {
    const git = `#!/bin/sh\necho ${join(folder, 'core')}\n`;
    write({ 'all/git': git, 'all/openssl': '#!/bin/sh\necho 3\n', 'all/curl': '#!/bin/sh\necho 8\n' }, 0o755);
    write({ 'core/git-http-backend': '' });
    mkdirSync(join(folder, 'without-git'));
    for (const program of PROGRAMS.slice(1)) {
      symlinkSync(join(folder, 'all', program), join(folder, 'without-git', program));
    }
  });

  it('leaves out the files that need it, and says so', () => {
    const all = missing('all');
    expect(all).toMatchObject({ status: 0, stderr: '' });
    expect(all.files).toEqual(expect.arrayContaining(['test/git/archive.test.ts', 'test/cli/dev-repository.test.ts']));
    const without = missing('without-git');
    const needed = filesThatNeed(GIT, OTHERS, ROOT);
    expect(needed.length).toBeGreaterThan(30);
    expect(needed).not.toContain('test/ci/programs.test.ts');
    expect(without.stderr).toBe(
      `Test files left out because they need git: ${needed.length}. To run them: apt-get install git\n`,
    );
    expect(all.files.filter((file) => !without.files.includes(file)).toSorted()).toEqual(needed);
    const { stderr } = missing('nothing');
    for (const program of PROGRAMS) expect(stderr).toContain(`because they need ${program}: `);
  });

  it.each(['CI', 'LOCKKEEPER_TEST_ROUNDS'])('fails where %s is set', (name) => {
    const { status, files, stderr } = missing('without-git', { [name]: '1' });
    expect({ status, files }).toEqual({ status: 1, files: [] });
    expect(stderr).toContain(`Tests need git, and none may be left out with ${name} set: apt-get install git`);
  });
});
