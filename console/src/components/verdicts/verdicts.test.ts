import { expect, test } from 'vitest';
import { answerOf, sorted, summaryOf } from './verdicts.ts';

const yes = { admitted: true };
const no = { admitted: false };

test('the summary counts the checked roles', () => {
  expect(answerOf([], 0)).toBe('There is no role that could accept it');
  expect(answerOf([no], 0)).toBe('The only role would not accept it');
  expect(answerOf([no, no], 0)).toBe('None of 2 roles would accept it');
  expect(answerOf([yes, no], 3)).toContain('1 of 2 roles would accept it; 3 more were not checked');
  expect(answerOf([yes, no], 0, ['identity', 'identities'])).toBe('1 of 2 identities would accept it');
});

test('the summary names the checks that refuse', () => {
  const verdict = (check: string, outcome: 'passed' | 'refused') => ({ check, outcome, expected: '', actual: '' });
  const { refused, passed } = sorted([verdict('signature', 'passed'), verdict('bound_subject', 'refused')]);
  expect(summaryOf(refused, passed)).toBe('1 of 2 checks failed: bound_subject');
  expect(summaryOf([], passed)).toBe('1 check passed');
});
