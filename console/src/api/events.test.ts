import type { Query } from '@tanstack/react-query';
import { describe, expect, test } from 'vitest';
import { concerns, readEvent } from './events.ts';

const happened = { kind: 'lock', id: 'ws-1', organization: 'acme', workspace: 'ws-1' } as const;
const query = (operation: string, path: object, data: unknown = undefined, api = '/api/v2') =>
  ({ queryKey: [api, operation, { path }], state: { data: { data } } }) as unknown as Query;

describe('an event concerns', () => {
  test.each([
    [
      'a query by the id of the workspace',
      query('GET /workspaces/{workspace_id}/lock-events', { workspace_id: 'ws-1' }, []),
      true,
    ],
    [
      'a query of another workspace',
      query('GET /workspaces/{workspace_id}/lock-events', { workspace_id: 'ws-2' }, []),
      false,
    ],
    [
      'the list of the organization',
      query('GET /organizations/{organization_name}/workspaces', { organization_name: 'acme' }, []),
      true,
    ],
    [
      'not the list of another organization',
      query('GET /organizations/{organization_name}/workspaces', { organization_name: 'other' }, []),
      false,
    ],
    [
      'the query of the workspace by its name',
      query('GET /organizations/{o}/workspaces/{w}', { o: 'acme', w: 'one' }, { id: 'ws-1' }),
      true,
    ],
    [
      'not the query of another workspace by its name',
      query('GET /organizations/{o}/workspaces/{w}', { o: 'acme', w: 'two' }, { id: 'ws-2' }),
      false,
    ],
    [
      'not the teams of the organization',
      query('GET /organizations/{organization_name}/teams', { organization_name: 'acme' }, []),
      false,
    ],
    ['not a query of the other API', query('GET /sys/auth', {}, {}, '/v1'), false],
  ])('%s', (_, one, expected) => {
    expect(concerns(happened, one)).toBe(expected);
  });

  test('never the query of the session', () => {
    expect(concerns(happened, { queryKey: ['session'], state: {} } as unknown as Query)).toBe(false);
  });
});

test('an event block is parsed', () => {
  expect(readEvent('event: lock\ndata: {"id":"ws-1"}')).toEqual({ event: 'lock', data: '{"id":"ws-1"}', id: '' });
  expect(readEvent('id: 12-34')).toEqual({ event: '', data: '', id: '12-34' });
  expect(readEvent(': nothing yet')).toEqual({ event: '', data: '', id: '' });
});
