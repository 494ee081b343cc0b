import { globSync, readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MOST_FILES = 25;
const MOST_LINES = 400;

const sources = [
  ...globSync('{src,test,bench,build,docs}/**/*.ts', { cwd: ROOT }),
  // What is generated is as long as what it is made of.
  ...globSync('console/src/**/*.{ts,tsx,css}', { cwd: ROOT }).filter((file) => !file.includes('/generated/')),
];
/** Unit tests stand beside the code that they test. */
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

  it('looks at what there is', () => {
    expect(sources.length).toBeGreaterThan(900);
  });
});

/** Floor by floor from the ground up; each knows what is below. `dependency-cruiser` reads no markup. */
const CONSOLE_FLOORS = [
  ['api', 'format', 'keyboard', 'styles'],
  ['session'],
  ['components'],
  ['shell'],
  ['pages'],
  ['routes'],
];

/** Rules that hold alike on both sides of the wire, in files that know nothing else. */
const SHARED_WITH_CONSOLE = ['src/lib/exact-json/exact-json.ts'];

describe('the console', () => {
  const files = globSync('console/src/**/*.{ts,tsx}', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'));
  const imports = files.flatMap((file) =>
    [...readFileSync(`${ROOT}/${file}`, 'utf8').matchAll(/(?:from|import) '(\.[^']+)'|import\('(\.[^']+)'\)/g)].map(
      ([, named = '', lazy = '']) => ({ file, to: posix.join(dirname(file), named || lazy) }),
    ),
  );
  const roomOf = (path: string) => path.split('/')[2] ?? '';
  const floorOf = (path: string) => CONSOLE_FLOORS.findIndex((rooms) => rooms.includes(roomOf(path)));
  const wrong = (isWrong: (one: { file: string; to: string }) => boolean) =>
    imports.filter(isWrong).map(({ file, to }) => `${file} -> ${to}`);

  it('is imported from, and imports, nothing outside of it but what both sides share', () => {
    expect(imports.length).toBeGreaterThan(100);
    expect(wrong(({ to }) => !to.startsWith('console/src/') && !SHARED_WITH_CONSOLE.includes(to))).toEqual([]);
    const imported = SHARED_WITH_CONSOLE.filter((file) => / from '/.test(readFileSync(`${ROOT}/${file}`, 'utf8')));
    expect(imported).toEqual([]);
  });

  it('has rooms that know what is below', () => {
    const inside = ({ file }: { file: string }) => floorOf(file) >= 0;
    expect(
      wrong((one) => inside(one) && roomOf(one.file) !== roomOf(one.to) && floorOf(one.to) >= floorOf(one.file)),
    ).toEqual([]);
  });

  it('has pages that know no other', () => {
    const pageOf = (path: string) => path.split('/').slice(0, 4).join('/');
    expect(
      wrong(({ file, to }) => roomOf(file) === 'pages' && roomOf(to) === 'pages' && pageOf(file) !== pageOf(to)),
    ).toEqual([]);
  });
});
