import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ANSWERS, type Code, QUESTIONS } from './words.ts';

const page = readFileSync(new URL('../../../../docs/reference/vcs.md', import.meta.url), 'utf8');
const codes = Object.keys(ANSWERS) as Code[];

test('docs/reference/vcs.md has each code with its question, its answer and its text', () => {
  const order = Object.keys(QUESTIONS);
  const rows = codes
    .toSorted((a, b) => order.indexOf(ANSWERS[a].question) - order.indexOf(ANSWERS[b].question))
    .map((code) => {
      const { question, passes, text } = ANSWERS[code];
      const shown = text.replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase());
      return `| \`${question}\` | \`${code}\` | ${passes ? 'yes' : 'no'} | ${shown} |`;
    });
  const [, table = ''] = page.split('| Question | Code | Starts a run | Text |\n|---|---|---|---|\n');
  expect(table.split('\n\n')[0]?.split('\n')).toEqual(rows);
});

test('the table of events names codes that exist', () => {
  const [, events = ''] = /## Events\n([\s\S]*?)\n## Triggers/.exec(page) ?? [];
  const named = [...events.matchAll(/`([a-z]+(?:-[a-z]+)+|overtaken|tag)`/g)].map(([, name]) => name);
  const settings = ['queue-all-runs'];
  expect(named.filter((name) => !codes.includes(name as Code) && !settings.includes(name ?? ''))).toEqual([]);
  expect(named.length).toBeGreaterThan(15);
});

test.each(codes)('%s is a sentence', (code) => {
  expect(ANSWERS[code].text).toMatch(/^[A-Z].*[.}]$/);
});
