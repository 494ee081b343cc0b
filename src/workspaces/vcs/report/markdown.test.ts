import { expect, test } from 'vitest';
import { BoundedText, code, details, link, plain } from './markdown.ts';

const AT = '@\u200b';

test.each([
  ['aws_instance.a', '`aws_instance.a`'],
  ['', '`?`'],
  ['\u0000\u202e', '`?`'],
  ['a`b', '`` a`b ``'],
  ['`', '`` ` ``'],
  ['``` a', '```` ``` a ````'],
  ['a\nb\r\nc', '`a b c`'],
  ['@everyone', `\`${AT}everyone\``],
  ['\ud800', '`\ufffd`'],
])('%j is shown as the code %j', (text, expected) => expect(code(text)).toBe(expected));

test('no text ends its code', () => {
  const parts = ['`', '``', '```', ' ', 'a', '\\', '\n', '@', '|'];
  let seed = 7;
  for (let round = 0; round < 5000; round++) {
    let text = '';
    for (let i = 0; i < round % 12; i++) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      text += parts[seed % parts.length];
    }
    const shown = code(text);
    const fence = /^`+/.exec(shown)?.[0] ?? '';
    const inner = shown.slice(fence.length, -fence.length);
    const runs = [...inner.matchAll(/`+/g)].map(([run]) => run.length);
    expect(shown.endsWith(fence), shown).toBe(true);
    expect(/^`|`$/.test(inner), shown).toBe(false);
    expect(runs, shown).not.toContain(fence.length);
  }
});

test('a long text is cut', () => {
  expect(code('x'.repeat(500))).toBe(`\`${'x'.repeat(199)}…\``);
});

test('plain text has no Markdown and no HTML', () => {
  expect(plain('a_b *c* [d](e) <f> & `g` # | @h')).toBe(
    `a\\_b \\*c\\* \\[d\\]\\(e\\) &lt;f&gt; &amp; \\\`g\\\` \\# \\| ${AT}h`,
  );
  expect(link('net', 'https://a.example/(x y)')).toBe('[net](https://a.example/%28x%20y%29)');
});

test('a part is folded only where Markdown has HTML', () => {
  expect(details('<a>', 'body', true)).toBe('<details><summary>&lt;a&gt;</summary>\n\nbody\n\n</details>');
  expect(details('a', 'body', false)).toBe('**a**\n\nbody');
});

test('a bounded text leaves parts out as a whole', () => {
  const text = new BoundedText(10);
  expect(text.add('12345')).toBe(true);
  expect(text.add('123456')).toBe(false);
  expect(text.add('123', 3)).toBe(false);
  expect(text.add('12345')).toBe(true);
  expect(text.text).toBe('1234512345');
});
