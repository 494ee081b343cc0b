import { expect, test } from 'vitest';
import { marked, matches, patternOf, wordsOf } from './match.ts';

test('a name matches all words in any order and case', () => {
  expect(matches('network-Prod', wordsOf(' prod  NET '))).toBe(true);
  expect(matches('network-prod', wordsOf('net shop'))).toBe(false);
  expect(matches('anything', wordsOf(''))).toBe(true);
});

test('typed words are marked', () => {
  expect(marked('network-prod', ['net', 'prod'])).toEqual([
    ['net', true],
    ['work-', false],
    ['prod', true],
  ]);
  expect(marked('aaa', ['aa'])).toEqual([
    ['aa', true],
    ['a', false],
  ]);
  expect(
    marked('İstanbul', ['stan'])
      .map(([text]) => text)
      .join(''),
  ).toBe('İstanbul');
});

test('a pattern contains no stars of the user', () => {
  expect(patternOf(['net', 'p*d'])).toBe('*net*pd*');
});
