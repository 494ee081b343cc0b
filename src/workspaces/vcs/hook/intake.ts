import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { prefixedId } from '../../../lib/ids.ts';
import { limitedBody } from '../../../lib/limited-body.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import type { Installations } from '../connection/app/installations.ts';
import type { Hint, Hooks as ProviderHooks, RawDelivery } from '../provider/port.ts';
import { ProviderError } from '../provider/provider-error.ts';
import type { Repositories } from '../repository/repositories.ts';
import { BodyBudget, MAX_DELIVERY } from './body-budget.ts';
import type { Hook } from './hook.ts';
import { DeliveryPace } from './pace.ts';
import type { HookSecrets } from './secrets.ts';
import * as store from './store.ts';

/** @limit body of a webhook delivery that is read for details, bytes -> a larger one only starts a look-up */
const MAX_PARSED = 1_048_576;
/** @limit hints of one webhook delivery that are kept, hints -> the others are ignored */
const MOST_HINTS = 100;
/** @limit id of a webhook delivery, characters -> it is truncated */
const MAX_DELIVERY_ID = 200;

/** Dependencies of `HookIntake`. */
export interface HookIntakeOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly secrets: HookSecrets;
  readonly repositories: Repositories;
  readonly installations: Pick<Installations, 'changed'>;
  /** Returns the part of the provider that reads deliveries of a hook. */
  readonly providerOf: (hook: Hook) => ProviderHooks | undefined;
}

/** Body of a request, as it arrives. */
export interface Incoming {
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

/** Receives deliveries of webhooks: proves them, stores them, and makes a look-up due. */
export class HookIntake {
  readonly #options: HookIntakeOptions;
  readonly #budget = new BodyBudget();
  readonly #pace = new DeliveryPace();

  constructor(options: HookIntakeOptions) {
    this.#options = options;
  }

  /**
   * Receives a delivery. A wrong proof and an unknown hook get the same response after the same work.
   * @throws 404 without a valid proof, 413 and 503 above limits
   */
  async receive(key: string, { headers, body }: Incoming): Promise<void> {
    const hook = await store.findHookByKey(this.#options.database, key);
    const provider = hook && this.#options.providerOf(hook);
    if (hook === undefined || provider === undefined) {
      await discard(headers, body);
      throw unknown();
    }
    const announced = headers['content-length'];
    const giveBack = this.#budget.take(hook.id, announced === undefined ? undefined : Number(announced));
    try {
      const delivery = { headers: firstValues(headers), body: await read(body, announced) };
      if (!provider.prove(delivery, this.#options.secrets.open(hook))) throw unknown();
      await this.#store(hook, provider, delivery);
    } finally {
      giveBack();
    }
  }

  async #store(hook: Hook, provider: ProviderHooks, delivery: RawDelivery): Promise<void> {
    const { clock, database } = this.#options;
    const now = clock();
    const isStored = this.#pace.take(hook.id, now);
    const { hints, problem } = isStored ? hintsOf(provider, delivery) : { hints: [], problem: null };
    const deliveryId = provider.deliveryId(delivery).slice(0, MAX_DELIVERY_ID);
    await database.transaction(async (tx) => {
      const repositoryIds = await this.#concerned(tx, hook, hints);
      const isNew =
        !isStored ||
        (await store.addDelivery(
          tx,
          {
            ...{ id: prefixedId('vd', now), hookId: hook.id, repositoryId: repositoryIds[0] ?? null, deliveryId },
            ...{ hints: JSON.stringify(hints), outcome: problem },
          },
          now,
        ));
      if (!isNew) return;
      await store.setLastDelivery(tx, hook.id, now);
      for (const id of repositoryIds) await this.#options.repositories.wake(tx, id, now);
      await this.#installationsChanged(tx, hook, hints, now);
    });
  }

  /** Returns the repositories to look up: that of the hook, or those that the hints of an app name. */
  async #concerned(tx: Transaction, { repositoryId, githubAppId }: Hook, hints: readonly Hint[]): Promise<string[]> {
    if (repositoryId !== null) return [repositoryId];
    if (githubAppId === null) return [];
    const named = new Set(hints.flatMap((hint) => ('repositoryId' in hint ? hint.repositoryId : [])));
    const found: string[] = [];
    for (const id of named) found.push(...(await this.#options.repositories.ofApp(tx, githubAppId, id)));
    return found;
  }

  async #installationsChanged(
    tx: Transaction,
    { githubAppId }: Hook,
    hints: readonly Hint[],
    now: number,
  ): Promise<void> {
    for (const hint of hints) {
      if (hint.kind !== 'installation' || githubAppId === null) continue;
      await this.#options.installations.changed(tx, githubAppId, hint.installationId, now);
    }
  }
}

/** Returns what a proven delivery hints at. One that cannot be read is a hint without details. */
function hintsOf(provider: ProviderHooks, delivery: RawDelivery): { hints: readonly Hint[]; problem: string | null } {
  if (delivery.body.length > MAX_PARSED) return { hints: [], problem: null };
  try {
    return { hints: provider.parse(delivery).slice(0, MOST_HINTS), problem: null };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { hints: [], problem: error.message };
  }
}

const unknown = () => new AppError('not-found', 'no such webhook, or the delivery was not made with its secret');

function firstValues(headers: IncomingHttpHeaders): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat()[0]]));
}

async function read(body: Readable, announced: string | undefined): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of limitedBody(body, announced, MAX_DELIVERY)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Key for the work that an unknown hook causes. */
const DECOY = randomBytes(32);

/** Reads a body without keeping it, and hashes it as a proof would. */
async function discard(headers: IncomingHttpHeaders, body: Readable): Promise<void> {
  const hmac = createHmac('sha256', DECOY);
  for await (const chunk of limitedBody(body, headers['content-length'], MAX_DELIVERY)) hmac.update(chunk);
  hmac.digest();
}
