import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { piecesOf } from '../build/language/pieces.ts';
import { findingsIn } from '../build/language/rules.ts';

const findingsOf = (path: string, text: string) =>
  piecesOf(path, text).flatMap((piece) => findingsIn(piece).map(({ line, said }) => `${line}: ${said}`));

describe('the language check', () => {
  it('refuses docstrings without a named subject at their beginning, at any sentence', () => {
    const source = [
      '/** What a list shows. */',
      'const a = 1;',
      '/**',
      ' * Returns a list. Those of others are left out.',
      ' * @param name of a role',
      ' */',
      'const b = 1; // Nobody reads this',
      '// Comments of two lines.',
      '// The same holds here.',
    ].join('\n');
    expect(findingsOf('a.ts', source)).toEqual(['1: What …', '4: Those …', '7: Nobody …', '9: The same …']);
  });

  it('refuses house words in literals and JSX, and takes their beginnings as they are', () => {
    const source = `const a = 'Of this one whoever asks is told'; const b = <p>The run is carried out</p>; import c from './anew a';`;
    expect(findingsOf('a.tsx', source)).toEqual(['1: whoever', '1: is told', '1: carried out']);
  });

  it('reads headings, paragraphs, items and cells of Markdown, and no column names or code', () => {
    const page = [
      '# What it is not',
      '',
      'Text of a paragraph.',
      'What it says.',
      '',
      '| What it is | Value |',
      '|---|---|',
      '| Of a role | one `whoever` |',
      '',
      '```sh',
      'echo Whoever',
      '```',
      '- Those of others',
    ].join('\n');
    expect(findingsOf('a.md', page)).toEqual(['1: What …', '4: What …', '8: Of …', '13: Those …']);
  });

  it('takes plain sentences', () => {
    expect(findingsOf('a.ts', '/** Returns the role. The same-origin policy holds. Offers: none. */')).toEqual([]);
  });
});

describe('the glossary', () => {
  it('has no term twice', () => {
    const page = readFileSync(new URL('../docs/reference/glossary.md', import.meta.url), 'utf8');
    const terms = [...page.matchAll(/^\| ([^|]+) \|/gm)]
      .map(([, term]) => term as string)
      .filter((term) => term !== 'Term');
    expect(terms.length).toBeGreaterThan(50);
    expect(terms.filter((term, at) => terms.indexOf(term) < at)).toEqual([]);
  });
});
