import { expect, test } from 'vitest';
import { engineWords } from './engine-words.ts';

test.each([
  ['opentofu', undefined, '1.9.0', 'OpenTofu 1.9.0'],
  ['terraform', 'opentofu', '= 1.5.7', 'Terraform 1.5.7'],
  [null, 'opentofu', 'latest', 'OpenTofu, the newest version that its agent has'],
  [null, 'terraform', '~> 1.5', 'Terraform ~> 1.5: the newest of these versions'],
  [null, undefined, '1.6.0', 'default engine of the organization, 1.6.0'],
])('%s, %s, %s is %s', (engine, inherited, version, words) => {
  expect(engineWords(engine, inherited, version)).toBe(words);
});
