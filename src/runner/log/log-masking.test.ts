import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LogMasking } from './log-masking.ts';
import { Masking } from './masking.ts';
import { secretForms } from './secret-forms.ts';

/** Returns the output for input in pieces of that size. */
function masked(secrets: readonly string[], text: string, size = text.length): string {
  const masking = new LogMasking(new Masking(secretForms(secrets)));
  const bytes = Buffer.from(text);
  const out: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) out.push(masking.next(bytes.subarray(at, at + size)));
  return Buffer.concat([...out, masking.end()]).toString();
}

/** Lines as OpenTofu 1.11.5 prints them. */
const LINES = [
  '{"@level":"info","@message":"null_resource.info: Plan to create","@module":"terraform.ui","@timestamp":"2026-11-26T10:00:00.000000Z","change":{"resource":{"addr":"null_resource.info","module":"","resource_key":null},"action":"create"},"type":"planned_change"}',
  '{"@level":"info","@message":"Plan: 1234 to add","changes":{"add":1234,"change":0,"import":0,"remove":0,"operation":"plan"},"type":"change_summary"}',
  '{"@level":"error","@message":"Error: line\\none \\"quoted\\" \\u003cdetail\\u003e","diagnostic":{"severity":"error","summary":"line\\none","range":{"filename":"main.tf","start":{"line":1234,"column":5,"byte":12345}}},"type":"diagnostic"}',
  '{"@level":"info","@message":"Outputs: 2","outputs":{"a":{"sensitive":false,"type":"number","value":1234.5},"hunter22":{"sensitive":false,"type":["list","bool"],"value":[true,false,null]}},"type":"outputs"}',
];
const LOG = `OpenTofu v1.11.5\n${LINES.join('\n')}\nError: text\n`;

const structuredOf = (log: string) => log.split('\n').filter((line) => line.startsWith('{'));

test.each([
  ...[
    'null',
    'true',
    'false',
    'info',
    'error',
    'type',
    '@level',
    'create',
    'diagnostic',
    'plan',
    'line',
    'terraform.ui',
    'number',
    'list',
  ],
  ...[
    '1234',
    '"info"',
    ':null',
    '},"type',
    '","type":"',
    'none',
    'nquoted',
    'u003cdetail',
    '003c',
    '\\none',
    'value',
    '2026',
  ],
])('structured lines stay JSON and keep their meaning for programs, with the secret %s', (secret) => {
  const lines = structuredOf(masked([secret], LOG)).map((line) => JSON.parse(line));
  const before = LINES.map((line) => JSON.parse(line));
  const read = (all: typeof lines) =>
    all.map((line) => [line['@level'], line.type, line.changes, line.diagnostic?.range]);
  expect(read(lines)).toEqual(read(before));
  expect(lines[0].change.action).toBe('create');
  expect(lines[3].outputs.a).toMatchObject({ sensitive: secret === '1234', type: 'number' });
});

test('a secret in a string, a name or a number of a structured line is masked', () => {
  const [, , , line = ''] = structuredOf(masked(['hunter22', '1234.5'], LOG));
  expect(line).not.toMatch(/hunter22|1234/);
  expect(JSON.parse(line).outputs).toMatchObject({ a: { sensitive: true, value: null }, '***': { sensitive: false } });
  const quoted = JSON.stringify({ '@message': 'is pä"ss\nword now', type: 'log' });
  expect(masked(['pä"ss\nword'], quoted)).toBe('{"@message":"is *** now","type":"log"}');
});

test('an output with a number that is a secret becomes sensitive, because it cannot have a string', () => {
  const output = (name: string, value: string) => `"${name}":{"sensitive":false,"type":"number","value":${value}}`;
  const line = (...outputs: string[]) => `{"outputs":{${outputs.join()}},"type":"outputs","count":1234}\n`;
  const [before, after] = [output('before', '1'), output('after', '{"sensitive":false,"n":[5,true]}')];
  expect(masked(['1234'], line(before, output('pin', '[{"a":-1234}]'), after))).toBe(
    `{"outputs":{${before},"pin":{"sensitive":true,"type":"number","value":[{"a":null}]},${after}},"type":"outputs","count":"***"}\n`,
  );
  expect(masked(['1234'], '{"outputs":{"pin":{"value":1234}}}\n')).toBe('{"outputs":{"pin":{"value":null}}}\n');
});

test('a secret that is JSON itself is masked, as a separate line or inside a line', () => {
  const secret = JSON.stringify({ type: 'service_account', private_key: 'abcdefgh', number: 98765 });
  for (const text of [`${secret}\n`, `key: ${secret}\n`, `${JSON.stringify({ '@message': secret, type: 'log' })}\n`]) {
    expect(masked([secret], text)).not.toMatch(/service_account|private_key|abcdefgh|98765/);
  }
});

test('lines that only look structured, are incomplete or too long are masked as text', () => {
  expect(masked(['null'], '{"a":null\n')).toBe('{"a":***\n');
  expect(masked(['null'], '{ null }\n{"a":null')).toBe('{ *** }\n{"a":***');
  expect(masked(['hunter22'], `{"a":"${'x'.repeat(2_000_000)}hunter22"}\n`)).not.toContain('hunter22');
  expect(masked(['{\n  "a": "hunter22"\n}'], '{\n  "a": "hunter22"\n}\n')).not.toContain('hunter22');
});

test('a structured line is sent when it ends, and a line of the agent in the middle of it follows', () => {
  const masking = new LogMasking(new Masking(secretForms(['null'])));
  expect(masking.next(Buffer.from('text {"a":')).toString()).toBe('text {"a":');
  expect(masking.next(Buffer.from('\n{"a":nul')).toString()).toBe('\n');
  expect(masking.next(Buffer.from('l}\n')).toString()).toBe('{"a":null}\n');
});

test('the result does not depend on the size of the pieces', () => {
  const secrets = ['null', '1234', 'hunter22', 'error', 'Error: te'];
  const whole = masked(secrets, LOG);
  fc.assert(fc.property(fc.integer({ min: 1, max: 400 }), (size) => masked(secrets, LOG, size) === whole));
});

test('structured lines stay JSON, and no string or number contains a secret, for random secrets', () => {
  const secret = fc.string({ unit: fc.constantFrom(...'"\\{}:,n1tru0 ü'), minLength: 4, maxLength: 8 });
  const value = fc.string({ unit: fc.constantFrom(...'"\\{}:,n1tru0 ü\n'), maxLength: 40 });
  fc.assert(
    fc.property(fc.array(secret, { minLength: 1, maxLength: 3 }), value, fc.integer(), (secrets, text, number) => {
      const message = `${text}${secrets[0]}${text}`;
      const [line = ''] = masked(secrets, `${JSON.stringify({ '@message': message, number })}\n`).split('\n');
      const read = JSON.parse(line);
      for (const one of secrets) expect(read['@message']).not.toContain(one);
    }),
  );
});
