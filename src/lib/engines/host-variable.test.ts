import { expect, it } from 'vitest';
import { hostVariable } from './host-variable.ts';

it.each([
  ['https://lockkeeper.example.com', 'TF_TOKEN_lockkeeper_example_com'],
  ['https://Lockkeeper.example-site.com:443/', 'TF_TOKEN_lockkeeper_example__site_com'],
  ['https://lockkeeper.example.com:8443', undefined],
  ['lockkeeper', undefined],
])('the token for %s is in %s', (address, expected) => {
  expect(hostVariable(address)).toBe(expected);
});
