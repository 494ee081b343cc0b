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
  config: Type.Object({ url: Type.Optional(Type.String()) }),
});
const readHook = reader('hook', hook);
const readHooks = reader('list of hooks', Type.Array(hook, { maxItems: 100 }));
/** Most hooks of a list. GitHub allows 20 for each event, 250 with Enterprise. */
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

/** Updates the known hook, or one with the URL that a stopped server has made, else creates one. */
async function ensureHook(
  dialect: Dialect,
  access: ProviderAccess,
  repository: RepositoryRef,
  { url, secret, hookId }: WantedHook,
): Promise<string> {
  const path = `${pathOf(repository)}/hooks`;
  const { events, extra } = dialect.hook;
  const config = { url, content_type: 'json', secret, ...dialect.hook.config };
  const update = async (id: string): Promise<boolean> => {
    const body = { active: true, events, config };
    return (await call(dialect, access, `${path}/${idPart(id)}`, { method: 'PATCH', body })).status !== 404;
  };
  if (hookId !== null && (await update(hookId))) return hookId;
  const found = await findHook(dialect, access, path, url);
  if (found !== undefined && (await update(found))) return found;
  const body = { ...extra, active: true, events, config };
  return String(readHook((await callExisting(dialect, access, path, { method: 'POST', body })).json).id);
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
    const found = hooks.find(({ config }) => config.url === url);
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
