import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { RunningServer } from '../../support/machine/running-server.ts';

/** Creates an organization, a workspace and a state in it, and reads the state. */
export async function useServer(server: RunningServer, token: string): Promise<void> {
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await server.call(method, path, { token, body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  };
  const create = async (path: string, type: string, attributes: object): Promise<string> =>
    (await call('POST', `/api/v2${path}`, { data: { type, attributes } })).body.data.id;
  await create('/organizations', 'organizations', { name: 'acme', email: 'ada@example.com' });
  const workspace = await create('/organizations/acme/workspaces', 'workspaces', { name: 'network' });
  await call('POST', `/api/v2/workspaces/${workspace}/actions/lock`, { reason: 'state' });
  const state = Buffer.from(JSON.stringify(STATE));
  await create(`/workspaces/${workspace}/state-versions`, 'state-versions', {
    ...{ serial: 1, lineage: STATE.lineage, md5: createHash('md5').update(state).digest('hex') },
    state: state.toString('base64'),
  });
  const { body: current } = await call('GET', `/api/v2/workspaces/${workspace}/current-state-version`);
  const { pathname, search } = new URL(current.data.attributes['hosted-state-download-url']);
  expect(JSON.parse((await call('GET', `${pathname}${search}`)).text)).toEqual(STATE);
}

/** Larger than the chunk in which the server reads an upload. */
const STATE = {
  ...{ version: 4, terraform_version: '1.10.0', serial: 1, lineage: '7d3ad3ac-6b28-4b76-8a2e-3c3fd1b0d2a1' },
  outputs: { text: { value: 'x'.repeat(40_000), type: 'string' } },
  resources: [],
};
