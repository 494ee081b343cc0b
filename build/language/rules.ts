import type { Piece } from './pieces.ts';

/** Beginnings of sentences without a named subject. */
const BEGINNINGS = /^(?:What|Of|Those|Who(?:so)?ever|Whatever|Nobody|The same)\b(?!-)/;

/** Former house words, and the field's word for each (docs/reference/glossary.md). */
const HOUSE_WORDS: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bwho(?:so)?ever\b/i, 'name who: a user, a client, an agent, the caller'],
  [/\banew\b/i, 'again'],
  [/\b(?:is|are|was|were|be|been|being|gets?) told\b/i, 'is notified, is returned, is shown, gets an error'],
  [/\bcarr(?:y|ies|ied|ying) (?:it |them |runs? |jobs? )?out\b/i, 'run, execute'],
  [/\bjudge[sd]?\b|\bjudging\b/i, 'evaluate, check'],
  [/\b(?:let|lets|letting) (?:\w+ )?in\b/i, 'allow to log in, authenticate'],
  [/\bwings?\b/i, 'module'],
  [/\bthe (?:access|workspace|other|one) half\b/i, 'the access API, the workspace API'],
  [/\bover the head of\b/i, 'without'],
  [/\bthis installation says\b|\bthe installation says\b/i, 'server default'],
  [/\bin the place of\b/i, 'instead of'],
  [/\bof then\b/i, 'at that time'],
  [/\bin person\b/i, 'by a user'],
  [/\bhas (?:no|nothing) to do with whom\b/i, 'name the subject'],
];

/** A refused word or beginning. */
export interface Finding {
  readonly line: number;
  readonly said: string;
  readonly advice: string;
}

/** Returns the findings in a piece of text. Literals are checked only for house words, because many are parts of a sentence. */
export function findingsIn({ kind, text, line }: Piece): Finding[] {
  const words = withoutCode(text);
  const findings: Finding[] = [];
  const lineOf = (at: number): number => line + words.slice(0, at).split('\n').length - 1;
  if (kind !== 'literal') {
    for (const { at, sentence } of sentencesOf(words)) {
      const said = BEGINNINGS.exec(sentence)?.[0];
      if (said !== undefined)
        findings.push({ line: lineOf(at), said: `${said} …`, advice: 'begin with the subject or a verb' });
    }
  }
  for (const [word, advice] of HOUSE_WORDS) {
    for (const match of words.matchAll(new RegExp(word, `${word.flags}g`))) {
      findings.push({ line: lineOf(match.index), said: match[0], advice: `write: ${advice}` });
    }
  }
  return findings;
}

/** Replaces inline code by spaces, so that positions stay. */
const withoutCode = (text: string): string => text.replace(/`[^`]*`/g, (code) => code.replace(/[^\n]/g, ' '));

function sentencesOf(text: string): { at: number; sentence: string }[] {
  const marked = text.replace(/^(?:@\w+(?: \{[^}]*\})?(?: \w+)?|\*\*|["“(])/gm, (tag) => ' '.repeat(tag.length));
  const begins = [
    0,
    ...[...marked.matchAll(/[.!?:][)"”*]*\s+(?=[A-Z])|\n\s*\n|\n(?=\s*[-*] )/g)].map(
      ({ index, 0: end }) => index + end.length,
    ),
  ];
  return begins.map((at) => {
    const sentence = marked.slice(at).replace(/^[\s*_-]+/, '');
    return { at: marked.length - sentence.length, sentence };
  });
}
