import { describe, expect, test } from 'vitest';
import { piecesOf, plainOf } from './ansi.ts';
import { LogText, messageOf } from './log-text.ts';

const ESC = '\u001b';
const encoder = new TextEncoder();

describe('terminal sequences', () => {
  test('keep colours and weights', () => {
    expect(piecesOf(`${ESC}[1m${ESC}[32mPlan:${ESC}[0m 1 to add, ${ESC}[91;4mx${ESC}[39my${ESC}[24mz`)).toEqual([
      { text: 'Plan:', look: { bold: true, colour: 'good' } },
      { text: ' 1 to add, ', look: {} },
      { text: 'x', look: { colour: 'bad', underlined: true } },
      { text: 'y', look: { underlined: true } },
      { text: 'z', look: {} },
    ]);
  });

  test('lose extended colours with all their parameters', () => {
    expect(piecesOf(`${ESC}[38;5;31;1ma${ESC}[38;2;31;32;33mb`)).toEqual([
      { text: 'a', look: { bold: true } },
      { text: 'b', look: { bold: true } },
    ]);
  });

  test.each([
    ['the cursor moves', `a${ESC}[2J${ESC}[1;1Hb${ESC}[?25lc`],
    ['the title changes', `a${ESC}]0;evil\u0007bc`],
    ['a link', `a${ESC}]8;;https://evil.example${ESC}\\b${ESC}]8;;${ESC}\\c`],
    ['a device query', `a${ESC}P1$r${ESC}\\bc`],
    ['one byte for two', `a\u009b31mb\u009b0mc`],
    ['bells, backspaces, carriage returns', 'a\u0007\b\rbc\u0000'],
    ['changes of the text direction', 'a\u202eb\u2066c\u2069'],
    ['a sequence without an end', `abc${ESC}]52;c;ZXZpbA==`],
    ['an escape at the end', `abc${ESC}`],
    ['an incomplete sequence', `abc${ESC}[31`],
  ])('drops %s', (_, line) => {
    expect(plainOf(line)).toBe('abc');
    expect(
      piecesOf(line)
        .map(({ text }) => text)
        .join(''),
    ).toBe('abc');
  });

  test('markup and other scripts are text', () => {
    expect(plainOf('<script>alert(1)</script> مرحبا\tx')).toBe('<script>alert(1)</script> مرحبا\tx');
  });
});

describe('lines of a log', () => {
  const linesOf = (log: LogText) => Array.from({ length: log.count }, (_, index) => log.line(index));

  test.each([1, 2, 3, 7, 1000])('are the same in chunks of %d bytes', (size) => {
    const bytes = encoder.encode('\u0002one\n\nGröße\r\nlast\u0003');
    const log = new LogText();
    for (let at = 0; at < bytes.length; at += size) log.append(bytes.subarray(at, at + size));
    expect([linesOf(log), log.hasEnded, log.offset]).toEqual([['one', '', 'Größe', 'last'], true, bytes.length]);
  });

  test('end with the last line that is not empty', () => {
    const log = new LogText();
    log.append(encoder.encode('\u0002one\n'));
    expect(linesOf(log)).toEqual(['one']);
    log.append(encoder.encode('two\n\u0003'));
    expect([linesOf(log), log.hasEnded]).toEqual([['one', 'two'], true]);
    expect(new TextDecoder().decode(log.bytes())).toBe('one\ntwo\n');
  });

  test('are none in an empty log', () => {
    const log = new LogText();
    log.append(encoder.encode('\u0002\u0003'));
    expect([log.count, log.hasEnded]).toEqual([0, true]);
  });

  test('are found in a log of 16 MB', async () => {
    const log = new LogText();
    const line = `${'x'.repeat(79)}\n`;
    const part = encoder.encode(line.repeat(13_107));
    for (let n = 0; n < 16; n++) log.append(part);
    log.append(encoder.encode('the needle\n'));
    expect([log.count, log.line(log.count - 1), log.line(200_000).length]).toEqual([13_107 * 16 + 1, 'the needle', 79]);
    expect(await log.find('NEEDLE', new AbortController().signal, 10)).toEqual([13_107 * 16]);
  });

  test('show their length if they are too long', () => {
    const log = new LogText();
    log.append(encoder.encode('y'.repeat(5_000)));
    expect(log.line(0)).toMatch(/^y{4000} … \(5000 characters\)$/);
  });
});

test('a structured line is shown as its message', () => {
  expect(messageOf('{"@level":"info","@message":"Plan: 1 to add","type":"change_summary"}')).toBe('Plan: 1 to add');
  expect(
    messageOf(
      '{"@level":"error","@message":"Error: Unsupported","diagnostic":{"detail":"An argument\\nis not expected","range":{"filename":"main.tf","start":{"line":3}}}}',
    ),
  ).toBe('\u001b[31mError: Unsupported\u001b[0m (main.tf, line 3) · An argument is not expected');
  expect(messageOf('{"@broken')).toBe('{"@broken');
  expect(messageOf('{"a":1}')).toBe('{"a":1}');
});
