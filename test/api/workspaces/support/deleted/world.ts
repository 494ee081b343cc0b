import { expect } from 'vitest';
import type { Answer, Caller, TestApi, UserCaller } from '../api.ts';
import { joinOrganization, type TestOrganization } from '../organization.ts';
import { atAddress } from '../states.ts';
import type { Values } from '../surface/index.ts';

/** An organization with one of everything; a test may replace the resource that it deletes. */
export interface World {
  readonly api: TestApi;
  readonly acme: TestOrganization;
  readonly values: Values;
  /** Sets the value of a parameter of the path or of the body. */
  use(values: Values): void;
}

/** Checks whether things still work, by name. All work before the deletion, and none of them afterwards. */
export type Life = Readonly<Record<string, () => Promise<boolean>>>;

/** Dependents of each resource, by the route that deletes the resource. */
export type Lives = Readonly<Record<string, (world: World) => Promise<Life>>>;

export const opens = (caller: Caller, path: string) => async () => (await caller.call('GET', path)).status === 200;
export const lists = (caller: Caller, path: string, id: string) => async () =>
  ((await caller.call('GET', path)).body?.data ?? []).some((one: { id: string }) => one.id === id);
export const resource = (type: string, attributes: object = {}, relationships: object = {}) => ({
  data: { type, attributes, relationships },
});

export async function made({ acme }: World, path: string, body: object): Promise<Answer['body']['data']> {
  const answer = await acme.owner.call('POST', path, body);
  expect(answer.status, `${path} ${answer.text}`).toBeLessThan(300);
  return answer.body?.data;
}

export async function succeeds(by: Caller, method: string, path: string, body?: object): Promise<void> {
  const answer = await by.call(method, path, body);
  expect(answer.status, `${method} ${path} ${answer.text}`).toBeLessThan(300);
}

/** Creates a token at a path. */
export const tokenAt = async (world: World, path: string) => {
  const { id, attributes } = await made(world, path, resource('authentication-tokens', { description: 'new' }));
  return { id, holder: world.api.holder(attributes.token) };
};

/** Creates the signed URL of a state for a caller. */
export async function stateLink({ api, values }: World, caller: Caller): Promise<() => Promise<boolean>> {
  const { body } = await caller.call('GET', `/state-versions/${values.state_version_id}`);
  const address: string = body.data.attributes['hosted-state-download-url'];
  return async () => (await atAddress(api, 'GET', address)).status === 200;
}

let people = 0;
/** A member of the organization and of the team with access to the workspace. */
export async function member(world: World): Promise<{ user: UserCaller; membership: string }> {
  const user = await world.api.user(`member-${world.acme.name}-${++people}`);
  return { user, membership: await joinOrganization(world.acme, user, [world.values.team_id ?? '']) };
}

export const workspacePath = ({ values }: World) => `/workspaces/${values.workspace_id}`;
export const organizationPath = ({ acme }: World) => `/organizations/${acme.name}`;

export const relates = (world: World, path: string, name: string) => async () => {
  const { relationships } = (await world.acme.owner.call('GET', path)).body.data;
  return Boolean(relationships[name]?.data);
};
