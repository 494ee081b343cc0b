import { expect, test } from 'vitest';
import { requestOf } from '../../api/request.ts';
import { curlOf, quoted } from './path-line.ts';

const list = requestOf('/api/v2', 'GET /organizations/{name}/workspaces', {
  path: { name: 'a/c"me' },
  query: { 'page[size]': '100', 'search[tags]': 'a,b c', sort: undefined },
});

test('a request is made of its operation and parameters', () => {
  expect(list).toEqual({
    method: 'GET',
    address: '/api/v2/organizations/a%2Fc%22me/workspaces?page[size]=100&search[tags]=a,b%20c',
  });
});

test('the equivalent command can be pasted into a shell', () => {
  expect(curlOf(list, 'https://lock.example')).toBe(
    `curl -H "Authorization: Bearer $TOKEN" -g 'https://lock.example${list.address}'`,
  );
  const lock = { method: 'POST', address: '/api/v2/workspaces/ws-1/actions/lock', body: { reason: "it's mine" } };
  expect(curlOf(lock, 'https://lock.example')).toBe(
    `curl -H "Authorization: Bearer $TOKEN" -X POST -H 'Content-Type: application/vnd.api+json' -d '{"reason":"it'\\''s mine"}' https://lock.example/api/v2/workspaces/ws-1/actions/lock`,
  );
  expect(quoted('$(reboot)')).toBe("'$(reboot)'");
});
