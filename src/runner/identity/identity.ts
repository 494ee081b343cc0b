import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkVariable } from '../input/environment.ts';
import type { JobFolders } from '../isolation/isolation.ts';
import type { JobIdentity } from '../job.ts';
import type { JobLog } from '../log/job-log.ts';
import { secretForms } from '../log/secret-forms.ts';
import { JobFailure } from '../ports.ts';
import { VaultToken } from './vault.ts';

const FOLDER = 'identity';
/** What stands for the folder in what the server says. */
const PLACE = '{{identity}}';

/** What a job proves to others with whose run it is. */
export class Identity {
  readonly #identity: JobIdentity | undefined;
  readonly #log: JobLog;
  readonly #tokens: VaultToken[] = [];

  constructor(identity: JobIdentity | undefined, log: JobLog) {
    this.#identity = identity;
    this.#log = log;
  }

  /**
   * Puts it where the engine finds it, and logs in where the agent has to. Whatever comes of it, `end` comes after it.
   * @returns what the environment needs for it
   * @throws JobFailure where it is not to be had
   */
  async begin(here: JobFolders, seen: JobFolders, signal: AbortSignal): Promise<Record<string, string>> {
    const identity = this.#identity;
    if (identity === undefined) return {};
    if (identity.problem !== null) throw new JobFailure(identity.problem);
    const folder = `${seen.told}/${FOLDER}`;
    // It stands in files of several kinds, as it is.
    if (!/^[\w/.@+-]+$/.test(folder)) throw new JobFailure(`Files with credentials cannot lie in ${folder}`);
    const placed = (text: string): string => text.replaceAll(PLACE, folder);
    mkdirSync(join(here.told, FOLDER), { mode: 0o700 });
    for (const { name, content } of identity.files) write(here, name, placed(content));
    const environment = Object.fromEntries(
      Object.entries(identity.environment).map(([key, value]) => [key, placed(value)]),
    );
    for (const login of identity.logins) {
      const token = await VaultToken.logIn(login, signal);
      this.#tokens.push(token);
      this.#log.hide(secretForms([token.text]));
      if (login.file !== null) write(here, login.file, token.text);
      if (login.variable !== null) environment[login.variable] = token.text;
    }
    for (const [key, value] of Object.entries(environment)) checkVariable(key, value);
    return environment;
  }

  /** The engine has ended: what was got by a login is given back. */
  async end(): Promise<void> {
    const revoked = await Promise.all(this.#tokens.map((token) => token.revoke()));
    if (revoked.every(Boolean)) return;
    await this.#log.say('A token of Vault could not be revoked: it ends by itself when its time is over.');
  }
}

function write({ told }: JobFolders, name: string, content: string): void {
  if (!/^[\w-]+(\.[\w-]+)*$/.test(name)) throw new JobFailure(`${JSON.stringify(name)} cannot be the name of a file`);
  writeFileSync(join(told, FOLDER, name), content, { mode: 0o600, flag: 'wx' });
}
