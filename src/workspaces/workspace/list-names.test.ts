import { describe, expect, test } from 'vitest';
import { Names } from './list-names.ts';

const NAMES = ['App-1', 'app-2', 'net', 'web-app', 'web-app-app', 'zoo'];
const names = new Names(NAMES.join('\n'));
const all = (list: Names) => list.page(0, 100, false);

describe('names of a list', () => {
  test('are counted, also when there are none', () => {
    expect(names.count).toBe(6);
    expect(new Names('').count).toBe(0);
    expect(new Names('').page(0, 20, false)).toEqual([]);
    expect(new Names('a').page(0, 20, true)).toEqual(['a']);
  });

  test('are cut into pages from either end', () => {
    expect(names.page(0, 2, false)).toEqual(['App-1', 'app-2']);
    expect(names.page(4, 4, false)).toEqual(['web-app-app', 'zoo']);
    expect(names.page(6, 4, false)).toEqual([]);
    expect(names.page(0, 2, true)).toEqual(['zoo', 'web-app-app']);
    expect(names.page(4, 4, true)).toEqual(['app-2', 'App-1']);
    expect(names.page(8, 4, true)).toEqual([]);
  });

  const PARTS = ['app', 'APP', '-', 'p-', 'zoo', 'o', 'App-1', 'net', 'q', 'zoo-', '1\n', 'web-app-app'];
  test.each(PARTS)('that contain %j are found once each, whatever the case', (part) => {
    const wanted = NAMES.filter((name) => name.toLowerCase().includes(part.toLowerCase()));
    expect(all(names.like(`*${part}*`))).toEqual(wanted);
    expect(names.like(`*${part}*`).count).toBe(wanted.length);
  });

  test.each([
    ['*', NAMES],
    ['**', NAMES],
    ['', []],
    ['app-1', ['App-1']],
    ['app', []],
    ['APP*', ['App-1', 'app-2']],
    ['*app', ['web-app', 'web-app-app']],
    ['w*app', ['web-app', 'web-app-app']],
    ['*app*app', ['web-app-app']],
    ['web-app*app', ['web-app-app']],
    ['web-app*p-app', []],
    ['net*net', []],
    ['n*e*t', ['net']],
  ])('are like %j', (pattern, wanted) => {
    expect(all(names.like(pattern))).toEqual(wanted);
    expect(all(new Names('').like(pattern))).toEqual([]);
  });
});
