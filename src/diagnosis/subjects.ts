import type { Config } from '../config/index.ts';
import { agents } from './agents/agents.ts';
import { audit } from './audit/audit.ts';
import { background } from './background/background.ts';
import { backups } from './backups/backups.ts';
import { blobs } from './blobs/blobs.ts';
import { clock } from './clock/clock.ts';
import { configuration } from './configuration/configuration.ts';
import { database } from './database/database.ts';
import { keyring } from './keyring/keyring.ts';
import { listeners } from './listeners/listeners.ts';
import { mail } from './mail/mail.ts';
import type { Subject } from './model/check.ts';
import { revocation } from './revocation/revocation.ts';
import { signIn } from './sign-in/sign-in.ts';
import { system } from './system/system.ts';
import { versionControl } from './vcs/vcs.ts';

/** All subjects in the order of their checks. A new subject is a folder of its own and an entry here. */
export const subjects = ({ storage, keyring: wrapped }: Config): readonly Subject[] => [
  system,
  configuration,
  keyring(wrapped),
  database(storage),
  blobs,
  backups,
  background,
  clock,
  listeners,
  audit,
  revocation,
  agents,
  signIn,
  versionControl,
  mail,
];

/** Returns the subjects with checks that a serving process may run on request. */
export function cheapSubjects(config: Config): readonly Subject[] {
  return subjects(config).flatMap(({ name, checks }) => {
    const cheap = checks.filter(({ isCheap }) => isCheap);
    return cheap.length === 0 ? [] : [{ name, checks: cheap }];
  });
}
