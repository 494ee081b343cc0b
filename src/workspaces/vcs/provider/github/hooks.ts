import Type from 'typebox';
import { ensureHook, type HookRequests } from '../hook.ts';
import { reader } from '../http/untrusted.ts';
import type { Hooks, ProviderAccess, RawDelivery, RepositoryRef, WantedHook } from '../port.ts';
import { ProviderError } from '../provider-error.ts';
import { hasHmac } from '../webhook-proof.ts';
import { call, callExisting, idPart, pathOf } from './api.ts';
import type { Dialect } from './dialect.ts';
import { hintsOf } from './hints.ts';

const hook = Type.Object({
  id: Type.Integer({ minimum: 0 }),
  config: Type.Optional(Type.Object({ url: Type.Optional(Type.String()) })),
});
const readHook = reader('hook', hook);
const readHooks = reader('list of hooks', Type.Array(hook, { maxItems: 100 }));
/**
 * GitHub allows 20 hooks for each event, 250 with Enterprise.
 * @limit pages of 50 hooks of a repository in which the server looks for its own, pages -> the server creates a hook
 */
const MAX_PAGES = 5;
const PAGE_SIZE = 50;
/** @limit length of a delivery's id, characters -> the delivery counts as invalid */
const MAX_ID = 200;

export function hooksOf(dialect: Dialect): Hooks {
  return {
    ensure(access, repository, wanted) {
      const requests = requestsOf(dialect, access, repository, wanted);
      return dialect.hook.keepsSecret ? replaceHook(wanted, requests) : ensureHook(wanted, requests);
    },
    remove: (access, repository, hookId) => removeHook(dialect, access, repository, hookId),
    prove: ({ headers, body }, secret) =>
      hasHmac({ body, secret }, headers[dialect.delivery.signature], dialect.delivery.prefix),
    deliveryId: (delivery) => deliveryId(dialect, delivery),
    parse: ({ headers, body }) => hintsOf(headers[dialect.delivery.event] ?? '', body),
  };
}

interface Requests extends HookRequests {
  remove(hookId: string): Promise<void>;
}

/** Creates the hook, then removes the one that the server made earlier and one with the same URL. Returns the new id. */
async function replaceHook({ hookId, url }: WantedHook, requests: Requests): Promise<string> {
  const made = (await requests.list()).find((hook) => hook.url === url)?.id;
  const old = new Set([hookId, made].filter((id) => id != null));
  const created = await requests.create();
  for (const id of old) await requests.remove(id);
  return created;
}

function requestsOf(
  dialect: Dialect,
  access: ProviderAccess,
  repository: RepositoryRef,
  { url, secret }: WantedHook,
): Requests {
  const path = `${pathOf(repository)}/hooks`;
  const { events, config, extra } = dialect.hook;
  const settings = { active: true, events, config: { url, content_type: 'json', secret, ...config } };
  return {
    list: () => listHooks(dialect, access, path),
    async create() {
      const body = { ...extra, ...settings };
      return String(readHook((await callExisting(dialect, access, path, { method: 'POST', body })).json).id);
    },
    async update(hookId) {
      const request = { method: 'PATCH', body: settings } as const;
      return (await call(dialect, access, `${path}/${idPart(hookId)}`, request)).status !== 404;
    },
    remove: (hookId) => removeHook(dialect, access, repository, hookId),
  };
}

async function removeHook(dialect: Dialect, access: ProviderAccess, repository: RepositoryRef, hookId: string) {
  await call(dialect, access, `${pathOf(repository)}/hooks/${idPart(hookId)}`, { method: 'DELETE' });
}

async function listHooks(dialect: Dialect, access: ProviderAccess, path: string) {
  const found: { readonly id: string; readonly url: string }[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = { [dialect.pageSize]: PAGE_SIZE, page };
    const hooks = readHooks((await callExisting(dialect, access, path, { query })).json);
    found.push(...hooks.map(({ id, config }) => ({ id: String(id), url: config?.url ?? '' })));
    if (hooks.length < PAGE_SIZE) break;
  }
  return found;
}

function deliveryId({ delivery }: Dialect, { headers }: RawDelivery): string {
  const id = headers[delivery.id];
  if (id !== undefined && /^[\x21-\x7e]+$/.test(id) && id.length <= MAX_ID) return id;
  throw new ProviderError('invalid', `The delivery has no header ${delivery.id} with an id`);
}
