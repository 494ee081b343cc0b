import { describe, expect, test } from 'vitest';
import { WrittenDocument, WrittenResource } from '../jsonapi/writing.ts';
import { accessorOf, metaOf, resourceIdOf } from './event.ts';
import { eventName } from './event-names.ts';

const named = (method: string, path: string) => eventName(method, path) ?? { type: 'none', action: 'none' };
const NOTHING = { organizationId: undefined, workspaceId: undefined, projectId: undefined };
const LOCK = named('POST', '/workspaces/:workspace_id/actions/lock');
const CREATE = named('POST', '/organizations/:organization_name/workspaces');
const DELETE_BY_NAME = named('DELETE', '/organizations/:organization_name/workspaces/:workspace_name');
const ADD_MEMBER = named('POST', '/teams/:team_id/relationships/users');

describe('the subject of an event', () => {
  test('is the resource that the path names, or that was found by name, or that the answer contains', () => {
    expect(resourceIdOf(LOCK, NOTHING, undefined, { workspace_id: 'ws-1' })).toBe('ws-1');
    const byName = { organization_name: 'acme', workspace_name: 'one' };
    expect(resourceIdOf(DELETE_BY_NAME, { ...NOTHING, workspaceId: 'ws-1' }, undefined, byName)).toBe('ws-1');
    expect(resourceIdOf(DELETE_BY_NAME, NOTHING, undefined, byName)).toBe('one');
    const resource = { id: 'ws-2', type: 'workspaces', attributes: {} };
    const answers = [{ data: resource }, WrittenDocument.one(new WrittenResource(resource))];
    // Other resources that the request looked at are not its subject.
    for (const answer of answers) {
      expect(resourceIdOf(CREATE, { ...NOTHING, workspaceId: 'ws-1' }, answer, { organization_name: 'acme' })).toBe(
        'ws-2',
      );
    }
    expect(resourceIdOf(CREATE, NOTHING, { data: [resource] }, { organization_name: 'acme' })).toBe('acme');
  });
});

describe('the details of an event', () => {
  const users = (...ids: unknown[]) => ({ data: ids.map((id) => ({ type: 'users', id })) });

  test('are ids, limited in number and length', () => {
    expect(metaOf(ADD_MEMBER)(users('ada', 'bob'), undefined)).toEqual({ users: ['ada', 'bob'] });
    const many = metaOf(ADD_MEMBER)(users(...Array(90).fill('x'.repeat(5_000))), undefined);
    expect(many?.users).toHaveLength(20);
    expect(many?.users?.[0]).toHaveLength(255);
    const long = { data: [{ type: 't'.repeat(5_000), id: 'ada' }] };
    expect(JSON.stringify(metaOf(ADD_MEMBER)(long, undefined)).length).toBeLessThan(300);
  });

  test('are null if there are none, whatever the client sent', () => {
    for (const body of [undefined, null, 'text', [], { data: null }, { data: 'x' }, { data: [null, 1, {}] }, users(1)])
      expect(metaOf(ADD_MEMBER)(body, undefined)).toBeNull();
    expect(metaOf(LOCK)(users('ada'), undefined)).toBeNull();
  });
});

test('the name of the actor is cut', () => {
  const user = { kind: 'user', id: 'user-1', username: 'b'.repeat(400), credential: '', grants: new Map() } as const;
  expect(accessorOf(user).description).toHaveLength(255);
});
