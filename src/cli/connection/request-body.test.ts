import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readFields, readJson } from './request-body.ts';

describe('values on the command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-values-'));
  const file = join(folder, 'ca.pem');
  writeFileSync(file, '{"a":1}\n');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are texts, files, and lists of what comes again', () => {
    expect(readFields(['a=b=c', 'empty=', `file=@${file}`, 'x=1', 'x=2', 'x=3'])).toEqual({
      a: 'b=c',
      empty: '',
      file: '{"a":1}\n',
      x: ['1', '2', '3'],
    });
    expect(readFields([])).toEqual({});
  });

  it('are a whole body when there is one file alone', () => {
    expect(readFields([`@${file}`])).toEqual({ a: 1 });
    expect(readJson('{"b":2}')).toEqual({ b: 2 });
  });

  it.each([[['novalue']], [['=x']], [['a=@/nowhere']], [['@/nowhere']], [['a=1', '@file']]])(
    '%j is refused',
    (args) => {
      expect(() => readFields(args)).toThrow(expect.objectContaining({ exitCode: 2 }));
    },
  );

  it('do not set what every object has', () => {
    expect(Object.getPrototypeOf(readFields(['__proto__=x']))).toBe(Object.prototype);
  });
});
