import { prefixedId } from '../../../lib/ids.ts';
import type { Transaction } from '../../../storage/index.ts';
import type { AppWebhook, AppWebhooks } from '../connection/app/app.ts';
import { hookUrl } from './hook.ts';
import { type HookSecrets, newKey } from './secrets.ts';
import * as store from './store.ts';

/** Names of this machine. GitHub refuses the whole manifest if the webhook has one of them. */
const LOOPBACK = /^(?:localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/;

/** Webhooks of GitHub Apps. GitHub makes them from the manifest, and chooses their secrets. */
export class AppHooks implements AppWebhooks {
  readonly #secrets: HookSecrets;
  readonly #address: string | undefined;

  /** @param address URL of this server as GitHub reaches it. Without it Apps have no webhook. */
  constructor(secrets: HookSecrets, address: string | undefined) {
    this.#secrets = secrets;
    this.#address = address;
  }

  newWebhook(): AppWebhook | undefined {
    if (this.#address === undefined || LOOPBACK.test(new URL(this.#address).hostname)) return undefined;
    const key = newKey();
    return { key, url: hookUrl(this.#address, key) };
  }

  async add(
    tx: Transaction,
    app: Parameters<AppWebhooks['add']>[1],
    { key, secret }: { readonly key: string; readonly secret: string },
    now: number,
  ): Promise<void> {
    const id = prefixedId('vh', now);
    const { id: githubAppId, organizationId, serviceProvider } = app;
    const hook = {
      ...{ id, organizationId, repositoryId: null, githubAppId, serviceProvider, key, providerHookId: null },
      ...{ secret: this.#secrets.seal(id, secret), state: 'made' as const, problem: null },
      ...{ triedAt: now, lastDeliveryAt: null },
    };
    await store.insertHook(tx, hook, now);
  }
}
