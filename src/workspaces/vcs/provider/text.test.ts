import { expect, it } from 'vitest';
import { bodyText, linkUrl, messageText, titleText, truncated } from './text.ts';

it('texts are truncated between characters', () => {
  for (const text of ['aé', 'a€', 'a😀'])
    for (let bytes = 1; bytes < 5; bytes++) {
      const short = truncated(text, bytes);
      expect(text.startsWith(short)).toBe(true);
      expect(Buffer.byteLength(short)).toBeLessThanOrEqual(bytes);
    }
  expect(Buffer.byteLength(bodyText('€'.repeat(100_000)))).toBe(65_535);
  expect(Buffer.byteLength(titleText('é'.repeat(100_000)))).toBe(1024);
});

it('texts have no characters that no database stores', () => {
  expect(bodyText('a\0b\ud800c\n')).toBe('a\ufffdb\ufffdc\n');
  expect(bodyText(null)).toBe('');
});

it('a title is one line without characters that change how it is shown', () => {
  expect(titleText('a\n\u001b[31mb \u202ec')).toBe('a [31mb  c');
});

it('a message is short', () => {
  expect(messageText('a\r\n  b')).toBe('a b');
  expect(messageText('x'.repeat(1000)).length).toBe(200);
});

it('a link is http or https, without credentials', () => {
  expect(linkUrl('https://example.com/a b')).toBe('https://example.com/a%20b');
  const refused = [
    'javascript:alert(1)',
    'https://user:word@example.com/',
    '',
    'example.com',
    `https://example.com/${'a'.repeat(3000)}`,
  ];
  for (const url of [...refused, null, undefined]) expect(linkUrl(url)).toBeNull();
});
