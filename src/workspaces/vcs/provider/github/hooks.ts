import Type from 'typebox';
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
    ensure: (access, repository, wanted) => ensureHook(dialect, access, repository, wanted),
    async remove(access, repository, hookId) {
      await call(dialect, access, `${pathOf(repository)}/hooks/${idPart(hookId)}`, { method: 'DELETE' });
    },
    prove: ({ headers, body }, secret) =>
      hasHmac({ body, secret }, headers[dialect.delivery.signature], dialect.delivery.prefix),
    deliveryId: (delivery) => deliveryId(dialect, delivery),
    parse: ({ headers, body }) => hintsOf(headers[dialect.delivery.event] ?? '', body),
  };
}

/** Updates or replaces the known hook and one with the URL, which a stopped server has made; else creates one. */
async function ensureHook(
  dialect: Dialect,
  access: ProviderAccess,
  repository: RepositoryRef,
  wanted: WantedHook,
): Promise<string> {
  const path = `${pathOf(repository)}/hooks`;
  const found = await findHook(dialect, access, path, wanted.url);
  const known = new Set([wanted.hookId, found].filter((id) => id != null));
  if (!dialect.hook.keepsSecret)
    return (await updateHook(dialect, access, path, known, wanted)) ?? createHook(dialect, access, path, wanted);
  const created = await createHook(dialect, access, path, wanted);
  for (const id of known) await call(dialect, access, `${path}/${idPart(id)}`, { method: 'DELETE' });
  return created;
}

/** Updates the first hook that exists. Returns its id. */
async function updateHook(
  dialect: Dialect,
  access: ProviderAccess,
  path: string,
  ids: Iterable<string>,
  wanted: WantedHook,
): Promise<string | undefined> {
  for (const id of ids) {
    const request = { method: 'PATCH', body: hookBody(dialect, wanted) } as const;
    if ((await call(dialect, access, `${path}/${idPart(id)}`, request)).status !== 404) return id;
  }
  return undefined;
}

async function createHook(dialect: Dialect, access: ProviderAccess, path: string, wanted: WantedHook): Promise<string> {
  const body = { ...dialect.hook.extra, ...hookBody(dialect, wanted) };
  return String(readHook((await callExisting(dialect, access, path, { method: 'POST', body })).json).id);
}

function hookBody({ hook: { events, config } }: Dialect, { url, secret }: WantedHook) {
  return { active: true, events, config: { url, content_type: 'json', secret, ...config } };
}

async function findHook(
  dialect: Dialect,
  access: ProviderAccess,
  path: string,
  url: string,
): Promise<string | undefined> {
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = { [dialect.pageSize]: PAGE_SIZE, page };
    const hooks = readHooks((await callExisting(dialect, access, path, { query })).json);
    const found = hooks.find(({ config }) => config?.url === url);
    if (found) return String(found.id);
    if (hooks.length < PAGE_SIZE) break;
  }
  return undefined;
}

function deliveryId({ delivery }: Dialect, { headers }: RawDelivery): string {
  const id = headers[delivery.id];
  if (id !== undefined && /^[\x21-\x7e]+$/.test(id) && id.length <= MAX_ID) return id;
  throw new ProviderError('invalid', `The delivery has no header ${delivery.id} with an id`);
}
