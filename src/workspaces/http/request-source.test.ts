import { expect, test } from 'vitest';
import { sourceOf } from './request-source.ts';

test.each([
  [
    { 'terraform-version': '1.11.4', 'x-terraform-integration': 'cloud', 'user-agent': 'go-tfe' },
    'terraform+cloud',
    'tofu or terraform 1.11.4',
  ],
  [
    { 'terraform-version': '1.10.7', 'user-agent': 'OpenTofu/1.10.7 (+https://opentofu.org)' },
    'terraform',
    'OpenTofu 1.10.7',
  ],
  [{ 'terraform-version': '\u001b[2J' }, 'terraform', null],
  [{ 'user-agent': 'lockkeeper/0.1.0' }, 'lockkeeper-cli', 'lockkeeper 0.1.0'],
  [{ 'user-agent': 'lockkeeper/<script>' }, 'tfe-api', null],
  [{ 'sec-fetch-site': 'same-origin', 'user-agent': 'Mozilla/5.0' }, 'tfe-ui', null],
  [{ 'user-agent': 'go-tfe' }, 'tfe-api', 'go-tfe'],
  [{}, 'tfe-api', null],
])('%j is %s', (headers, source, client) => {
  expect(sourceOf(headers)).toEqual({ source, client });
});
