import { expect, test } from 'vitest';
import { marked, matches, patternOf, wordsOf } from './match.ts';

test('all words have to be there, in any order and any case', () => {
  expect(matches('network-Prod', wordsOf(' prod  NET '))).toBe(true);
  expect(matches('network-prod', wordsOf('net shop'))).toBe(false);
  expect(matches('anything', wordsOf(''))).toBe(true);
});

test('what was typed is marked', () => {
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

test('a pattern has no stars but ours', () => {
  expect(patternOf(['net', 'p*d'])).toBe('*net*pd*');
});
