import { expect, test } from 'vitest';
import { likeness } from './pattern.ts';

const NAMES = ['app-1', 'app-2', 'net', 'web-app', 'web-app-app', 'zoo'];

test.each([
  ['*', NAMES],
  ['**', NAMES],
  ['', []],
  ['app-1', ['app-1']],
  ['app', []],
  ['APP*', ['app-1', 'app-2']],
  ['*app', ['web-app', 'web-app-app']],
  ['*p-*', ['app-1', 'app-2', 'web-app-app']],
  ['w*app', ['web-app', 'web-app-app']],
  ['*app*app', ['web-app-app']],
  ['web-app*app', ['web-app-app']],
  ['web-app*p-app', []],
  ['net*net', []],
  ['n*e*t', ['net']],
  ['*.*', []],
])('names that match %j', (pattern, wanted) => {
  expect(NAMES.filter(likeness(pattern.split('*')))).toEqual(wanted);
});
