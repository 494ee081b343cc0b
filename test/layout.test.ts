import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MOST_FILES = 25;
const MOST_LINES = 400;

const sources = globSync('{src,test,bench,build,docs}/**/*.ts', { cwd: ROOT });
/** Unit tests stand beside the code that they test. */
const isUnitTest = (file: string): boolean => file.startsWith('src/') && file.endsWith('.test.ts');
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
