import { Type } from 'typebox';
import { attribute, is } from '../../resource/index.ts';
import type { Verdict } from './decide.ts';
import { checkText, QUESTIONS } from './words.ts';

const Check = Type.Object({
  question: is.text,
  'question-text': is.text,
  passes: is.flag,
  code: is.text,
  text: is.text,
});
const SHAPES = {
  outcome: Type.Enum(['run', 'speculative', 'skipped']),
  code: is.text,
  text: is.text,
  'without-secrets': is.flag,
  checks: Type.Array(Check),
};

/** Shape of a verdict with its words. */
export const VerdictShape = Type.Object(SHAPES);

/** A resource with a verdict. */
interface Judged {
  readonly verdict: Verdict;
}

/** Declares the attributes of a resource with a verdict. */
export const VERDICT_ATTRIBUTES = {
  outcome: attribute(SHAPES.outcome, ({ verdict }: Judged) => verdict.outcome),
  code: attribute(SHAPES.code, ({ verdict }: Judged) => verdict.code),
  text: attribute(SHAPES.text, ({ verdict }: Judged) => textOf(verdict)),
  'without-secrets': attribute(SHAPES['without-secrets'], ({ verdict }: Judged) => verdict.untrusted),
  checks: attribute(SHAPES.checks, ({ verdict }: Judged) => checksOf(verdict)),
};

/** Returns a verdict with its words. */
export function shownVerdict(verdict: Verdict) {
  const { outcome, code, untrusted } = verdict;
  return { outcome, code, text: textOf(verdict), 'without-secrets': untrusted, checks: checksOf(verdict) };
}

function textOf({ checks, code }: Verdict): string {
  const decisive = checks.find((check) => check.code === code);
  return decisive ? checkText(decisive) : '';
}

function checksOf({ checks }: Verdict) {
  return checks.map((check) => ({
    question: check.question,
    'question-text': QUESTIONS[check.question],
    passes: check.passes,
    code: check.code,
    text: checkText(check),
  }));
}
