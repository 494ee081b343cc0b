import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentLog } from './agent-log.ts';
import { isRefusal } from './http/failures.ts';
import { persistently } from './http/retry.ts';
import type { Server } from './http/server.ts';
import type { Session } from './login/session.ts';
import { Registration } from './registration.ts';

/** In the folder of an agent: an id a line. */
const FILE = 'registered';
/** @limit agents that were ended in a folder without a goodbye and are remembered, agents -> the oldest are forgotten */
const MOST = 1_000;
const ID = /^[\w-]{1,100}$/;

/**
 * As whom an agent is registered, one for each slot, kept in its folder: an agent that is killed cannot say goodbye, so that the next one
 * in the same folder does it. What it had is free at once then, and nobody waits for it.
 */
export class Registered {
  readonly #path: string;
  /** Those of agents that are gone: while this one works, nobody else does in its folder. */
  readonly earlier: readonly string[];
  readonly #ids: Set<string>;

  /** @param goingOn those whose jobs are carried out elsewhere: they are no one's to sign off */
  constructor(folder: string, goingOn: readonly string[]) {
    this.#path = join(folder, FILE);
    this.earlier = idsIn(this.#path).filter((id) => !goingOn.includes(id));
    this.#ids = new Set([...this.earlier, ...goingOn]);
  }

  add(id: string): void {
    this.#ids.add(id);
    this.#write();
  }

  remove(id: string): void {
    if (this.#ids.delete(id)) this.#write();
  }

  /** Without it, which a disk that is full prevents, the server waits until they were silent for long enough. */
  #write(): void {
    const draft = `${this.#path}.draft`;
    try {
      writeFileSync(draft, [...this.#ids].slice(-MOST).join('\n'), { mode: 0o600 });
      renameSync(draft, this.#path);
    } catch {}
  }
}

/** Says goodbye for those that could not, one after the other, until the server has heard it. Does not throw. */
export async function sayGoodbyes(
  registered: Registered,
  place: { readonly server: Server; readonly session: Session; readonly log: AgentLog },
  signal: AbortSignal,
): Promise<void> {
  for (const id of registered.earlier) {
    const leaving = () => Registration.leave(place, id, signal);
    const failure = await persistently(leaving, { signal, timeout: Number.POSITIVE_INFINITY }).catch((error) => error);
    // By another token, or after another login, it may be heard yet.
    if (signal.aborted || isRefusal(failure, 401)) return;
    if (failure === undefined) place.log.info('an agent that was ended here before is signed off', { id });
    registered.remove(id);
  }
}

function idsIn(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((id) => ID.test(id))
      .slice(-MOST);
  } catch {
    return [];
  }
}
