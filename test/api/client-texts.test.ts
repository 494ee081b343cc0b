import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type Answer, startApi, type TestApi } from './workspaces/support/api.ts';
import { newOrganization, type TestOrganization } from './workspaces/support/organization.ts';
import { runsOf } from './workspaces/support/runs.ts';
import { lockedWorkspace, stateText } from './workspaces/support/states.ts';

/** Clients decide by these words, so a better sentence would break them. docs/reference/compatibility.md says which clients. */
interface MatchedText {
  readonly text: string;
  readonly status: number;
  readonly title: string;
}

const ACCESS: readonly (MatchedText & { readonly ask: (server: TestServer) => Promise<Answer> })[] = [
  {
    text: 'permission denied',
    status: 403,
    title: 'a token that is unknown',
    ask: (server) => server.call('POST', '/v1/auth/token/renew-self', { token: 'hvs.unknown' }),
  },
  {
    text: 'no handler for route',
    status: 404,
    title: 'a path where nothing is mounted',
    ask: (server) => server.root('GET', '/v1/pki/roots'),
  },
  {
    text: 'unsupported path',
    status: 404,
    title: 'a path that a mount does not have',
    ask: (server) => server.root('GET', '/v1/auth/token/issuers'),
  },
  {
    text: 'invalid accessor',
    status: 400,
    title: 'an accessor that is unknown',
    ask: (server) => server.root('POST', '/v1/auth/token/lookup-accessor', { accessor: 'unknown' }),
  },
  {
    text: 'No auth engine at',
    status: 400,
    title: 'an auth mount that does not exist',
    ask: (server) => server.root('GET', '/v1/sys/auth/nowhere'),
  },
  {
    text: 'No secret engine mount at',
    status: 400,
    title: 'a secret mount that does not exist',
    ask: (server) => server.root('GET', '/v1/sys/mounts/nowhere'),
  },
  {
    text: 'does not exist',
    status: 400,
    title: 'a wrapping token that is used up',
    ask: (server) => server.root('POST', '/v1/sys/wrapping/lookup', { token: 'hvs.unknown' }),
  },
];

interface Place {
  readonly api: TestApi;
  readonly acme: TestOrganization;
  /** A new workspace. */
  readonly id: string;
}

const act = ({ acme, id }: Place, action: string) => acme.owner.call('POST', `/workspaces/${id}/actions/${action}`);

const WORKSPACES: readonly (MatchedText & { readonly ask: (place: Place) => Promise<Answer> })[] = [
  {
    text: 'include parameter',
    status: 400,
    title: 'a relationship that cannot be included',
    ask: ({ acme, id }) => acme.owner.call('GET', `/workspaces/${id}?include=nothing`),
  },
  {
    text: 'Name may only contain',
    status: 422,
    title: 'a project with an invalid name',
    ask: ({ acme }) =>
      acme.owner.call('POST', `/organizations/${acme.name}/projects`, {
        data: { type: 'projects', attributes: { name: 'a/b' } },
      }),
  },
  {
    text: 'is locked by Run',
    status: 409,
    title: 'the unlock of a workspace that a run holds',
    ask: async (place) => {
      const runs = runsOf(place.api, place.acme);
      const id = await runs.workspace('held-by-a-run');
      await runs.run(id);
      return act({ ...place, id }, 'unlock');
    },
  },
  {
    text: 'is locked by Team',
    status: 409,
    title: 'the unlock of a workspace that a machine holds',
    ask: async (place) => {
      const machine = await place.acme.machine('holders', { 'manage-workspaces': true });
      await machine.call('POST', `/workspaces/${place.id}/actions/lock`);
      return act(place, 'unlock');
    },
  },
  {
    text: 'is locked by User',
    status: 409,
    title: 'the unlock of a workspace that somebody else holds',
    ask: async (place) => {
      await act(place, 'lock');
      const machine = await place.acme.machine('others', { 'manage-workspaces': true });
      return machine.call('POST', `/workspaces/${place.id}/actions/unlock`);
    },
  },
  {
    text: 'latest state version is still pending',
    status: 503,
    title: 'the unlock of a workspace whose state is not uploaded yet',
    ask: async (place) => {
      const workspace = await lockedWorkspace(place.api, place.acme, 'with-a-pending-state');
      await workspace.create(stateText(1), { serial: 1 });
      return workspace.unlock();
    },
  },
  {
    text: 'locked',
    status: 409,
    title: 'the safe deletion of a locked workspace',
    ask: async (place) => {
      await act(place, 'lock');
      return act(place, 'safe-delete');
    },
  },
  {
    text: 'Configuration version is missing',
    status: 422,
    title: 'a run in a workspace without a configuration',
    ask: ({ api, acme, id }) => runsOf(api, acme).create(id),
  },
  {
    text: 'not found',
    status: 404,
    title: 'a workspace that does not exist',
    ask: ({ acme }) => acme.owner.call('GET', '/workspaces/ws-1111111111111111'),
  },
];

describe('texts that clients match on', () => {
  test('the table of the documentation has each text, and no other', () => {
    const page = readFileSync(new URL('../../docs/reference/compatibility.md', import.meta.url), 'utf8');
    const section = page.split('## Texts that clients match on')[1] ?? '';
    const listed = [...section.matchAll(/^\| `([^`]+)` \| (\d+)/gm)].map(([, text, status]) => `${text} ${status}`);
    expect(listed).toEqual([...ACCESS, ...WORKSPACES].map(({ text, status }) => `${text} ${status}`));
  });

  describe('access API', () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await startTestServer('sqlite');
    });
    afterAll(() => server.stop());

    test.each(ACCESS)('$status "$text": $title', async ({ text, status, ask }) => {
      const answer = await ask(server);
      expect([answer.status, answer.body.errors]).toEqual([status, [expect.stringContaining(text)]]);
    });
  });

  describe('workspace API', () => {
    let api: TestApi;
    let acme: TestOrganization;
    beforeAll(async () => {
      api = await startApi('sqlite');
      acme = await newOrganization(api);
    });
    afterAll(() => api.close());

    test.each(WORKSPACES)('$status "$text": $title', async ({ text, status, ask, title }) => {
      const id = await acme.workspace(title.replaceAll(/[^a-z]+/g, '-'));
      const answer = await ask({ api, acme, id });
      const [{ title: head, detail }] = answer.body.errors;
      expect([answer.status, `${head}: ${detail}`]).toEqual([status, expect.stringContaining(text)]);
    });
  });
});
