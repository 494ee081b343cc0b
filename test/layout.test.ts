import { globSync, readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MOST_FILES = 25;
const MOST_LINES = 400;

const sources = [
  ...globSync('{src,test,bench,build,docs}/**/*.ts', { cwd: ROOT }),
  // Generated files may be longer.
  ...globSync('console/src/**/*.{ts,tsx,css}', { cwd: ROOT }).filter((file) => !file.includes('/generated/')),
];
/** Unit tests are in the folder of the code that they test. */
const isUnitTest = (file: string): boolean => /^(console\/)?src\//.test(file) && file.endsWith('.test.ts');
const linesOf = (file: string): number => readFileSync(`${ROOT}/${file}`, 'utf8').split('\n').length - 1;

describe('the layout', () => {
  it(`has no folder of more than ${MOST_FILES} files`, () => {
    const folders = Map.groupBy(
      sources.filter((file) => !isUnitTest(file)),
      (file) => dirname(file),
    );
    const crowded = [...folders].filter(([, files]) => files.length > MOST_FILES);
    expect(crowded.map(([folder, files]) => `${folder} ${files.length}`)).toEqual([]);
  });

  it(`has no source of more than ${MOST_LINES} lines`, () => {
    const long = sources.map((file) => ({ file, lines: linesOf(file) })).filter(({ lines }) => lines > MOST_LINES);
    expect(long.map(({ file, lines }) => `${file} ${lines}`)).toEqual([]);
  });

  // The second pass of the tests finds a test file by the name that it imports (vitest.config.ts). The console has its own.
  it('has no helper that chooses the database for a test file', () => {
    const helpers = sources.filter((file) => !file.endsWith('.test.ts') && !file.startsWith('test/console/'));
    const choosing = helpers.filter((file) =>
      /import \{[^}]*\bdatabaseKinds\b/.test(readFileSync(`${ROOT}/${file}`, 'utf8')),
    );
    expect(choosing).toEqual([]);
  });

  it('finds the sources', () => {
    expect(sources.length).toBeGreaterThan(900);
  });
});

/** Layers of folders, lowest first; each may import lower layers. `dependency-cruiser` does not read TSX. */
const CONSOLE_LAYERS = [
  ['api', 'format', 'keyboard', 'styles'],
  ['session'],
  ['components'],
  ['shell'],
  ['pages'],
  ['routes'],
];

/** Files that the server and the console both import. They import no other files. */
const SHARED_WITH_CONSOLE = ['src/lib/exact-json/exact-json.ts'];

describe('the console', () => {
  const files = globSync('console/src/**/*.{ts,tsx}', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'));
  const imports = files.flatMap((file) =>
    [...readFileSync(`${ROOT}/${file}`, 'utf8').matchAll(/(?:from|import) '(\.[^']+)'|import\('(\.[^']+)'\)/g)].map(
      ([, named = '', lazy = '']) => ({ file, to: posix.join(dirname(file), named || lazy) }),
    ),
  );
  const folderOf = (path: string) => path.split('/')[2] ?? '';
  const layerOf = (path: string) => CONSOLE_LAYERS.findIndex((folders) => folders.includes(folderOf(path)));
  const wrong = (isWrong: (imported: { file: string; to: string }) => boolean) =>
    imports.filter(isWrong).map(({ file, to }) => `${file} -> ${to}`);

  it('shares only the listed files with the server', () => {
    expect(imports.length).toBeGreaterThan(100);
    expect(wrong(({ to }) => !to.startsWith('console/src/') && !SHARED_WITH_CONSOLE.includes(to))).toEqual([]);
    const imported = SHARED_WITH_CONSOLE.filter((file) => / from '/.test(readFileSync(`${ROOT}/${file}`, 'utf8')));
    expect(imported).toEqual([]);
  });

  it('has folders that import lower layers only', () => {
    const isWrong = ({ file, to }: { file: string; to: string }) =>
      layerOf(file) >= 0 && folderOf(file) !== folderOf(to) && layerOf(to) >= layerOf(file);
    expect(wrong(isWrong)).toEqual([]);
  });

  it('has pages that import no other page', () => {
    const pageOf = (path: string) => path.split('/').slice(0, 4).join('/');
    expect(
      wrong(({ file, to }) => folderOf(file) === 'pages' && folderOf(to) === 'pages' && pageOf(file) !== pageOf(to)),
    ).toEqual([]);
  });
});
