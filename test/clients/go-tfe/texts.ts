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

/** A test that skips itself, because its GitHub fails at times. */
const SKIPPED =
  /(func TestConfigurationVersionsReadWithOptions\(t \*testing\.T\) \{\n\tt\.Parallel\(\)\n)\tt\.Skip\(.*\)\n/;
const RUN = 'func TestConfigurationVersionsReadWithOptions(t *testing.T) {\n\tt.Parallel()\n\n';

/**
 * Lets a test run that skips itself: it reads what the server knows of a commit.
 * @throws Error when the tests no longer contain it
 */
export function runSkipped(folder: string): void {
  const file = join(folder, 'configuration_version_integration_test.go');
  const source = readFileSync(file, 'utf8');
  if (!source.includes(RUN)) writeFileSync(file, changed(source, SKIPPED, '$1'));
}

function changed(text: string, found: RegExp, by: string): string {
  const after = text.replace(found, by);
  if (after === text) throw new Error(`the tests of go-tfe have no ${found} any more`);
  return after;
}
