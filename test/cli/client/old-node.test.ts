import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { Command } from '../../support/command.ts';

const OLD = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '24.14.9' } })";
const HELPER = fileURLToPath(new URL('../../../src/credentials-helper.ts', import.meta.url));

it.each([
  ['the program', undefined],
  ['the credentials helper', HELPER],
])('%s says which Node.js it needs, instead of failing with a SyntaxError', async (_name, source) => {
  const environment = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(OLD)}` };
  const { code, stdout, stderr } = await new Command(['--version'], environment, source).ended();
  expect([code, stdout, stderr]).toEqual([
    1,
    '',
    expect.stringMatching(/Node\.js 24\.15 or later is needed; .* is 24\.14\.9/),
  ]);
});
