import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { REST_BYTES } from '../../../../src/lib/long-json/long-json.ts';
import { INLINE_BODY_BYTES } from '../../../../src/workspaces/state/version/resource.ts';
import type { Answer } from '../../../support/http.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { md5, resource, stateText, versionBody } from '../support/states.ts';

describe('a state of several megabytes inside a request', () => {
  let server: TestServer;
  let path: string;
  let serial = 0;
  const large = () => stateText(++serial, { resources: [resource('a', 'b', [{ text: 'x'.repeat(18 * 2 ** 20) }])] });
  const inBase64 = (text: string) => Buffer.from(text).toString('base64');
  const bodyOf = (text: string, attributes: object = {}) =>
    JSON.stringify(versionBody(text, { serial, state: inBase64(text), ...attributes }));
  const send = (body: string) => server.call('POST', path, { token: server.userToken, body });
  const refusalOf = ({ status, body }: Answer) => [status, body.errors[0].detail, body.errors[0].source?.pointer];

  beforeAll(async () => {
    server = await startTestServer('sqlite');
    const create = async (at: string, attributes: object) =>
      (await server.user('POST', `/api/v2/${at}`, { data: { type: at.split('/').at(-1), attributes } })).body.data.id;
    await create('organizations', { name: 'acme', email: 'a@example.com' });
    const id = await create('organizations/acme/workspaces', { name: 'large' });
    expect((await server.user('POST', `/api/v2/workspaces/${id}/actions/lock`)).status).toBe(200);
    path = `/api/v2/workspaces/${id}/state-versions`;
  });
  afterAll(() => server.stop());

  /**
   * Measures the longest synchronous work of the server, which shares this process, and counts the other requests that
   * the server handles meanwhile.
   */
  async function watched(body: string) {
    const parse = vi.spyOn(JSON, 'parse');
    const bytes = vi.spyOn(Buffer, 'from');
    const stringify = vi.spyOn(JSON, 'stringify');
    let isAnswered = false;
    const sending = send(body).finally(() => {
      isAnswered = true;
    });
    let others = 0;
    while (!isAnswered) {
      expect((await server.call('GET', '/v1/sys/health')).status).toBe(200);
      others += Number(!isAnswered);
    }
    const lengths = [
      ...parse.mock.calls.map(([text]) => text.length),
      ...bytes.mock.calls.map(([of]: readonly unknown[]) => (typeof of === 'string' ? of.length : 0)),
      ...stringify.mock.results.map(({ value }) => value?.length ?? 0),
    ];
    for (const spy of [parse, bytes, stringify]) spy.mockRestore();
    return { answer: await sending, others, longest: lengths.reduce((one, other) => Math.max(one, other), 0) };
  }

  test('is parsed in pieces, without long synchronous work, and other requests are completed before it', async () => {
    const text = large();
    const body = bodyOf(text, { 'json-state': inBase64(JSON.stringify({ text: 'y'.repeat(2 ** 20) })) });
    expect(body.length).toBeGreaterThan(24 * 2 ** 20);
    const { answer, others, longest } = await watched(body);
    expect(answer.status, answer.text).toBe(201);
    expect(others).toBeGreaterThan(1);
    expect(longest).toBeLessThan(REST_BYTES);
    const { attributes } = answer.body.data;
    expect(attributes).toMatchObject({ status: 'finalized', size: text.length, resources: [{ name: 'b', count: 1 }] });
    for (const [form, length] of [
      ['state', text.length],
      ['json-state', 2 ** 20 + 11],
    ]) {
      const { pathname, search } = new URL(attributes[`hosted-${form}-download-url`]);
      const shown = await server.call('GET', pathname + search);
      expect([shown.status, shown.text.length]).toEqual([200, length]);
      if (form === 'state') expect(md5(shown.text)).toBe(md5(text));
    }
  });

  test('is refused at its end like a short one, and other requests are completed before it', async () => {
    const text = large();
    const whole = bodyOf(text);
    const wrongEnd = bodyOf(text, { state: `${inBase64(text)}!!!!` });
    for (const [body, refusal] of [
      [wrongEnd, [422, 'state must be base64', '/data/attributes/state']],
      [bodyOf(text, { md5: md5('else') }), [422, expect.stringContaining('MD5'), '/data/attributes/md5']],
      [`${whole}}`, [400, 'failed to parse JSON input', undefined]],
    ] as const) {
      const { answer, others, longest } = await watched(body);
      expect(refusalOf(answer)).toEqual(refusal);
      expect(others).toBeGreaterThan(1);
      expect(longest).toBeLessThan(REST_BYTES);
    }
  });

  test('in a field for short texts gets the usual error', async () => {
    const long = 'a'.repeat(100_000);
    const told = async (attributes: object) => refusalOf(await send(bodyOf('{}', attributes)));
    for (const [name, given, detail] of [
      ['lineage', long, 'lineage must not have more than 255 characters'],
      ['md5', long, 'md5 has an invalid format or contains an invalid character'],
      ['force', long, 'force must be either boolean or null'],
      ['state', 1, 'state must be either string or null'],
      ['json-state-outputs', 'A'.repeat(6_000_000), 'json-state-outputs must not have more than 5592408 characters'],
    ] as const) {
      expect(await told({ [name]: given })).toEqual([422, detail, `/data/attributes/${name}`]);
    }
    expect(refusalOf(await send(bodyOf('{}', { state: 'A'.repeat(INLINE_BODY_BYTES) })))[0]).toBe(413);
  });

  test('with many resources is compared with the previous one in pieces', async () => {
    for (const _ of ['the first', 'the second']) {
      const many = Array.from({ length: 3_000 }, (_, i) => resource('aws_instance', `r${i}`, [{ serial, i }]));
      const text = stateText(++serial, { resources: many });
      const { answer, longest } = await watched(bodyOf(text));
      expect(answer.status, answer.text).toBe(201);
      expect(longest).toBeLessThan(REST_BYTES);
    }
    const workspace = path.replace('/state-versions', '');
    const shown = await server.user('GET', `${workspace}/resources?page[number]=30&page[size]=100`);
    expect(shown.body.data.at(-1).attributes).toMatchObject({ name: 'r2999' });
    expect(shown.body.meta.pagination['total-count']).toBe(3_000);
  });

  test('has separate outputs that are parsed in pieces too, with the limits of a state', async () => {
    const text = '{"encryption_version":"v0","encrypted_data":"AAAA"}';
    serial++;
    const given = Object.fromEntries(
      Array.from({ length: 2_500 }, (_, i) => [`o${String(i).padStart(4, '0')}`, { value: 'x'.repeat(1_000) }]),
    );
    const tooLong = { value: 'x'.repeat(400_000), sensitive: false };
    const outputs = inBase64(JSON.stringify({ ...given, o0001: tooLong }));
    const { answer, longest } = await watched(bodyOf(text, { 'json-state-outputs': outputs }));
    expect(answer.status, answer.text).toBe(201);
    expect(longest).toBeLessThan(REST_BYTES);
    const shown = await server.user('GET', `/api/v2/state-versions/${answer.body.data.id}/outputs`);
    expect(shown.body.meta.pagination['total-count']).toBe(2_000);
    expect(shown.body.data[0].attributes).toMatchObject({ name: 'o0000', value: 'x'.repeat(1_000) });
    expect(shown.body.data[1].attributes).toMatchObject({ name: 'o0001', sensitive: true, value: null });
    for (const bad of ['[]', '{"a":1', '{"a":{bad}}', 'null', '']) {
      const state = await send(bodyOf(text, { 'json-state-outputs': inBase64(`${bad}${' '.repeat(100_000)}`) }));
      expect(refusalOf(state)[1]).toBe('json-state-outputs must be a JSON object of outputs, in base64');
    }
  });
});
