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
/** Placeholder for the folder of the files, in texts from the server. */
const PLACE = '{{identity}}';

/**
 * Workload identity of a job: files, environment variables and tokens that prove to other services which run this is.
 */
export class Identity {
  readonly #identity: JobIdentity | undefined;
  readonly #log: JobLog;
  readonly #tokens: VaultToken[] = [];

  constructor(identity: JobIdentity | undefined, log: JobLog) {
    this.#identity = identity;
    this.#log = log;
  }

  /**
   * Writes the files and logs in to Vault. The caller must call `end` afterwards, also after an error.
   * @returns environment variables for the engine
   * @throws JobFailure if a file or a login fails
   */
  async begin(here: JobFolders, seen: JobFolders, signal: AbortSignal): Promise<Record<string, string>> {
    const identity = this.#identity;
    if (identity === undefined) return {};
    if (identity.problem !== null) throw new JobFailure(identity.problem);
    const folder = `${seen.told}/${FOLDER}`;
    // The path is inserted unescaped into files of several formats.
    if (!/^[\w/.@+-]+$/.test(folder))
      throw new JobFailure(`Credential files cannot be stored in ${folder}: the path has unusual characters`);
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

  /** Revokes the Vault tokens after the engine has ended. */
  async end(): Promise<void> {
    const revoked = await Promise.all(this.#tokens.map((token) => token.revoke()));
    if (revoked.every(Boolean)) return;
    await this.#log.say('A Vault token could not be revoked: it remains valid until it expires.');
  }
}

function write({ told }: JobFolders, name: string, content: string): void {
  if (!/^[\w-]+(\.[\w-]+)*$/.test(name)) throw new JobFailure(`${JSON.stringify(name)} is not a valid file name`);
  writeFileSync(join(told, FOLDER, name), content, { mode: 0o600, flag: 'wx' });
}
