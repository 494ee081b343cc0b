import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { Answer, Caller, TestApi } from './api.ts';
import type { TestOrganization } from './organization.ts';

/** Returns a state as `tofu` and `terraform` write it. */
export function stateText(serial: number, options: { resources?: readonly object[]; outputs?: object } = {}): string {
  const { resources = [resource('aws_instance', 'web', [{ id: 'i-1' }])], outputs = {} } = options;
  return JSON.stringify({ version: 4, terraform_version: '1.10.5', serial, lineage: 'lineage-1', outputs, resources });
}

/** A managed resource of the root module, with an instance for each of the attributes. */
export function resource(type: string, name: string, attributes: readonly object[], more: object = {}): object {
  return {
    mode: 'managed',
    type,
    name,
    provider: 'provider["registry.opentofu.org/hashicorp/aws"]',
    instances: attributes.map((one, index) => ({
      ...(attributes.length > 1 ? { index_key: index } : {}),
      schema_version: 0,
      attributes: one,
      sensitive_attributes: [],
    })),
    ...more,
  };
}

export const md5 = (text: string | Uint8Array) => createHash('md5').update(text).digest('hex');
export const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Body of a new version. Without `state` in the attributes, the state is uploaded later. */
export function versionBody(text: string, attributes: object, relationships: object = {}): object {
  return { data: { type: 'state-versions', attributes: { md5: md5(text), ...attributes }, relationships } };
}

/** Requests a signed URL, without a token. */
export function atAddress(api: TestApi, method: string, address: string, body?: string): Promise<Answer> {
  const { pathname, search } = new URL(address);
  const headers = { 'content-type': 'application/octet-stream' };
  return api.nobody().call(method, `${pathname.replace('/api/v2', '')}${search}`, body, headers);
}

/** A client that works on one workspace. */
export function worker(api: TestApi, caller: Pick<Caller, 'call'>, workspaceId: string) {
  const path = `/workspaces/${workspaceId}`;
  const act = (action: string) => caller.call('POST', `${path}/actions/${action}`);
  const create = (text: string, attributes: object) =>
    caller.call('POST', `${path}/state-versions`, versionBody(text, attributes));
  return {
    path,
    lock: () => act('lock'),
    unlock: () => act('unlock'),
    forceUnlock: () => act('force-unlock'),
    create,
    /** Creates a version with an inline state. Returns its document. */
    async write(text: string, attributes: object) {
      const created = await create(text, { state: base64(text), ...attributes });
      expect(created.status, created.text).toBe(201);
      return created.body.data;
    },
    /** Creates a version as `tofu` and `terraform` do. Returns the document after the upload. */
    async upload(text: string, attributes: object) {
      const created = await create(text, attributes);
      expect(created.status, created.text).toBe(201);
      const put = await atAddress(api, 'PUT', created.body.data.attributes['hosted-state-upload-url'], text);
      expect(put.status, put.text).toBe(200);
      return (await caller.call('GET', `/state-versions/${created.body.data.id}`)).body.data;
    },
    current: () => caller.call('GET', `${path}/current-state-version`),
    show: async () => (await caller.call('GET', path)).body.data,
  };
}

/** A new workspace, locked by the owner. */
export async function lockedWorkspace(api: TestApi, acme: TestOrganization, name: string) {
  const id = await acme.workspace(name);
  const at = worker(api, acme.owner, id);
  await at.lock();
  return { id, name, ...at };
}
