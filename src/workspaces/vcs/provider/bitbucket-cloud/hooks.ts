import Type from 'typebox';
import { idOfDelivery } from '../delivery.ts';
import { ensureHook } from '../hook.ts';
import { reader } from '../http/untrusted.ts';
import type { Hooks } from '../port.ts';
import { hasHmac } from '../webhook-proof.ts';
import { bitbucketApi, repositoryPath } from './api.ts';
import { parseBitbucketCloud } from './parse.ts';

const hook = Type.Object({ uuid: Type.String(), url: Type.String() });
const readHook = reader('webhook', hook);
const readHooks = reader('list of webhooks', Type.Object({ values: Type.Array(hook) }));

const EVENTS = [
  ...['repo:push', 'repo:updated', 'repo:transfer', 'repo:deleted'],
  ...['pullrequest:created', 'pullrequest:updated', 'pullrequest:fulfilled', 'pullrequest:rejected'],
];

export const bitbucketHooks: Hooks = {
  ensure(access, repository, wanted) {
    const api = bitbucketApi(access);
    const hooks = `${repositoryPath(repository)}/hooks`;
    const body = { description: 'Lockkeeper', url: wanted.url, secret: wanted.secret, active: true, events: EVENTS };
    return ensureHook(wanted, {
      update: async (id) => (await api.find('PUT', `${hooks}/${encodeURIComponent(id)}`, { body })) !== undefined,
      list: async () => {
        const { json } = await api.send('GET', hooks, { query: { pagelen: 100 } });
        return readHooks(json).values.map(({ uuid, url }) => ({ id: uuid, url }));
      },
      create: async () => readHook((await api.send('POST', hooks, { body })).json).uuid,
    });
  },

  async remove(access, repository, hookId) {
    await bitbucketApi(access).find('DELETE', `${repositoryPath(repository)}/hooks/${encodeURIComponent(hookId)}`);
  },

  prove: ({ headers, body }, secret) => hasHmac({ body, secret }, headers['x-hub-signature'], 'sha256='),
  deliveryId: (delivery) => idOfDelivery(delivery, 'x-request-uuid'),
  parse: parseBitbucketCloud,
};
