import Type from 'typebox';
import { idOfDelivery } from '../delivery.ts';
import { ensureHook } from '../hook.ts';
import { reader } from '../http/untrusted.ts';
import type { Hooks } from '../port.ts';
import { hasHmac } from '../webhook-proof.ts';
import { checkedPath, findPath, serverApi } from './api.ts';
import { parseBitbucketServer } from './parse.ts';

const hook = Type.Object({ id: Type.Integer(), url: Type.String() });
const readHook = reader('webhook', hook);
const readHooks = reader('list of webhooks', Type.Object({ values: Type.Array(hook) }));

const EVENTS = [
  ...['repo:refs_changed', 'repo:modified'],
  ...['pr:opened', 'pr:modified', 'pr:from_ref_updated', 'pr:to_ref_updated', 'pr:merged', 'pr:declined', 'pr:deleted'],
];

export const serverHooks: Hooks = {
  async ensure(access, repository, wanted) {
    const api = serverApi(access);
    const hooks = `${await checkedPath(api, repository)}/webhooks`;
    const body = {
      ...{ name: 'Lockkeeper', url: wanted.url, active: true, events: EVENTS },
      configuration: { secret: wanted.secret },
    };
    return await ensureHook(wanted, {
      update: async (id) => (await api.find('PUT', `${hooks}/${encodeURIComponent(id)}`, { body })) !== undefined,
      list: async () => {
        const { json } = await api.send('GET', hooks, { query: { limit: 100 } });
        return readHooks(json).values.map(({ id, url }) => ({ id: String(id), url }));
      },
      create: async () => String(readHook((await api.send('POST', hooks, { body })).json).id),
    });
  },

  async remove(access, repository, hookId) {
    const api = serverApi(access);
    const path = await findPath(api, repository);
    if (path !== undefined) await api.find('DELETE', `${path}/webhooks/${encodeURIComponent(hookId)}`);
  },

  prove: ({ headers, body }, secret) => hasHmac({ body, secret }, headers['x-hub-signature'], 'sha256='),
  deliveryId: (delivery) => idOfDelivery(delivery, 'x-request-id'),
  parse: parseBitbucketServer,
};
