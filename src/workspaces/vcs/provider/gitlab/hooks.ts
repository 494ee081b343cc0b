import Type from 'typebox';
import { idOfDelivery } from '../delivery.ts';
import { ensureHook } from '../hook.ts';
import { reader } from '../http/untrusted.ts';
import type { Hooks } from '../port.ts';
import { sameSecret } from '../webhook-proof.ts';
import { gitlabApi, projectPath } from './api.ts';
import { parseGitlab } from './parse.ts';

const hook = Type.Object({ id: Type.Integer(), url: Type.String() });
const readHook = reader('webhook', hook);
const readHooks = reader('list of webhooks', Type.Array(hook));

export const gitlabHooks: Hooks = {
  ensure(access, repository, wanted) {
    const api = gitlabApi(access);
    const hooks = `${projectPath(repository)}/hooks`;
    const body = {
      ...{ url: wanted.url, token: wanted.secret, enable_ssl_verification: true },
      ...{ push_events: true, tag_push_events: true, merge_requests_events: true },
    };
    return ensureHook(wanted, {
      update: async (id) => (await api.find('PUT', `${hooks}/${encodeURIComponent(id)}`, { body })) !== undefined,
      list: async () => {
        const { json } = await api.send('GET', hooks, { query: { per_page: 100 } });
        return readHooks(json).map(({ id, url }) => ({ id: String(id), url }));
      },
      create: async () => String(readHook((await api.send('POST', hooks, { body })).json).id),
    });
  },

  async remove(access, repository, hookId) {
    await gitlabApi(access).find('DELETE', `${projectPath(repository)}/hooks/${encodeURIComponent(hookId)}`);
  },

  // GitLab sends the secret in clear.
  prove: ({ headers }, secret) => sameSecret(headers['x-gitlab-token'], secret),
  deliveryId: (delivery) => idOfDelivery(delivery, 'idempotency-key', 'x-gitlab-event-uuid'),
  parse: parseGitlab,
};
