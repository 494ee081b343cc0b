import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newPrivateKey } from '../../support/samples/private-key.ts';

const RANDOM = /(func randomString\(t \*testing\.T\) string \{[^}]*\}\n\treturn )v\n/;
const SSH_KEY = /(SSHKeyCreateOptions\{[^}]*Value:\s*)String\(randomString\(t\)\)/g;
const DONE = 'takenSSHKey';

/**
 * Changes two texts in the copy of the tests that the server refuses: random names must start with a letter, as keys of
 * variables must, and an SSH key must be valid.
 * @throws Error when the tests no longer contain them
 */
export function useTakenTexts(folder: string): void {
  const helper = join(folder, 'helper_test.go');
  const source = readFileSync(helper, 'utf8');
  if (source.includes(DONE)) return;
  const keys = join(folder, 'ssh_key_integration_test.go');
  const withKeys = (text: string) => changed(text, SSH_KEY, `$1String(${DONE})`);
  writeFileSync(keys, withKeys(readFileSync(keys, 'utf8')));
  const named = changed(withKeys(source), RANDOM, '$1"t" + v[1:]\n');
  writeFileSync(helper, `${named}\nconst ${DONE} = \`${newPrivateKey()}\`\n`);
}

function changed(text: string, found: RegExp, by: string): string {
  const after = text.replace(found, by);
  if (after === text) throw new Error(`the tests of go-tfe have no ${found} any more`);
  return after;
}
