import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccessAnswers } from '../support/access-answers.ts';
import type { Answer } from '../support/http.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

// Every other test of the access API relies on this: `TestServer.call` validates each response against the document.
describe('a response of the access API that its document does not allow', () => {
  let server: TestServer;
  let answers: AccessAnswers;
  beforeAll(async () => {
    server = await startTestServer('sqlite');
    answers = new AccessAnswers(server.application.access);
  });
  afterAll(() => server.stop());

  const SELF = '/v1/auth/token/lookup-self';
  const assert = (answer: Answer, path = SELF, method = 'GET', headers = {}) =>
    answers.assert(method, path, { headers }, answer);
  const changed = (answer: Answer, data: object, more: Partial<Answer> = {}): Answer => ({
    ...answer,
    ...more,
    // JSON drops undefined properties.
    body: JSON.parse(JSON.stringify({ ...answer.body, data: { ...answer.body.data, ...data } })),
  });

  it('fails the test that sent the request, with the deviation', async () => {
    const answer = await server.root('GET', SELF);
    const refused = (data: object, text: RegExp) => expect(() => assert(changed(answer, data))).toThrow(text);
    assert(answer);
    refused({ colour: 'red' }, /GET \/v1\/auth\/token\/lookup-self: 200 is not .*\n.*\/data\/colour/);
    refused({ ttl: '1h' }, /\/data\/ttl must be integer/);
    refused({ policies: null }, /\/data\/policies must be array/);
    refused({ accessor: undefined }, /required properties accessor/);
    expect(() => assert({ ...answer, body: { ...answer.body, auth: { client_token: 'x' } } })).toThrow('/auth');
    expect(() => assert({ ...answer, body: { ...answer.body, extra: 1 } })).toThrow('/extra');
    expect(() => assert({ ...answer, body: undefined })).toThrow('no JSON');
    expect(() => assert({ ...answer, status: 202 })).toThrow('the status 202 is not declared');
    expect(() => assert({ ...answer, status: 403 })).toThrow('errors');
    expect(() => assert(answer, '/v1/auth/token/nothing')).toThrow('there is no such operation');
    expect(() => assert({ ...answer, status: 204 }, '/v1/auth/token/revoke-self', 'POST')).toThrow('a body where none');
  });

  it('is reported at any mount, wrapped or not', async () => {
    await server.root('POST', '/v1/sys/auth/teams/certs', { type: 'cert' });
    const path = '/v1/auth/teams/certs/config';
    const config = await server.root('GET', path);
    expect(config.status).toBe(200);
    expect(() => assert(changed(config, { alias_source: 7 }), path)).toThrow('/data/alias_source');
    const headers = { 'x-vault-wrap-ttl': '60' };
    const wrapped = await server.call('GET', path, { token: server.rootToken, headers });
    assert(wrapped, path, 'GET', headers);
    expect(() => assert(wrapped, path)).toThrow('/wrap_info');
  });
});
