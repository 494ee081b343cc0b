import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentLog } from './agent-log.ts';
import { isRefusal } from './http/failures.ts';
import { persistently } from './http/retry.ts';
import type { Server } from './http/server.ts';
import type { Session } from './login/session.ts';
import { Registration } from './registration.ts';

/** Name of the file in the folder of an agent, with one id in each line. */
const FILE = 'registered';
/** @limit killed agents of one folder that wait to be unregistered, agents -> the oldest are forgotten */
const MOST = 1_000;
const ID = /^[\w-]{1,100}$/;

/**
 * Ids under which this agent is registered, one for each slot, stored in its folder. A killed agent cannot unregister,
 * so the next agent in the folder does: the server then need not wait for the heartbeat timeout.
 */
export class Registered {
  readonly #path: string;
  /** Ids of agents that are gone: the lock of the folder ensures that no other agent runs in it. */
  readonly earlier: readonly string[];
  readonly #ids: Set<string>;

  /** @param goingOn ids whose jobs still run elsewhere, for example in a cluster: they stay registered */
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

  /** Writes the file. Ignores failures such as a full disk: the server then waits for the heartbeat timeout. */
  #write(): void {
    const draft = `${this.#path}.draft`;
    try {
      writeFileSync(draft, [...this.#ids].slice(-MOST).join('\n'), { mode: 0o600 });
      renameSync(draft, this.#path);
    } catch {}
  }
}

/** Unregisters earlier agents one by one, and retries while the server is unavailable. Does not throw. */
export async function sayGoodbyes(
  registered: Registered,
  place: { readonly server: Server; readonly session: Session; readonly log: AgentLog },
  signal: AbortSignal,
): Promise<void> {
  for (const id of registered.earlier) {
    const leaving = () => Registration.leave(place, id, signal);
    const failure = await persistently(leaving, { signal, timeout: Number.POSITIVE_INFINITY }).catch((error) => error);
    // Another token or a later login may be accepted.
    if (signal.aborted || isRefusal(failure, 401)) return;
    if (failure === undefined) place.log.info('unregistered an agent that was killed in this folder', { id });
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
