import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { base64, lockedWorkspace, stateText } from '../support/states.ts';

/** Numbers that JavaScript rounds, or writes otherwise. */
const NUMBERS = [
  ...['9007199254740993', '-9007199254740993', '123456789012345678901234567890', '1e400', '1E-400', '-0', '1.0', '1e2'],
  ...['0.1234567890123456789', '0.3333333333333333333333333333333333333333', '18446744073709551615', '0.0000001'],
];
const EVERYDAY = ['0', '1', '-1', '0.5', '9007199254740991', '1700000000000', '3.14', '100'];

/** A state whose outputs contain these numbers with every digit. */
const stateOf = (serial: number, outputs: Readonly<Record<string, string>>) => {
  const members = Object.entries(outputs).map(([name, json]) => `"${name}":{"value":${json},"type":"number"}`);
  return stateText(serial).replace('"outputs":{}', `"outputs":{${members.join()}}`);
};

describe.each(databaseKinds)('numbers of states on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
  });
  afterAll(() => api.close());

  const locked = () => lockedWorkspace(api, acme, `n-${++names}`);
  const textAt = async (path: string) => (await acme.owner.call('GET', path)).text;
  const changed = async (version: string): Promise<string[]> => {
    const { body } = await acme.owner.call('GET', `/state-versions/${version}/diff`);
    return body.data.attributes.outputs.changed.map(({ name }: { name: string }) => name);
  };

  test.each([...NUMBERS, ...EVERYDAY])('outputs show %s with the digits of the state', async (number) => {
    const { id, path, write } = await locked();
    const value = `{"a":[${number},"${number}"],"__proto__":${number}}`;
    const version = await write(stateOf(1, { plain: number, within: value }), { serial: 1 });
    const output = version.relationships.outputs.data[0].id;
    for (const place of [
      `/state-versions/${version.id}/outputs`,
      `${path}/current-state-version-outputs`,
      `/workspaces/${id}?include=outputs`,
      `/state-versions/${version.id}?include=outputs`,
    ]) {
      const text = await textAt(place);
      expect(text, place).toContain(`"value":${number},`);
      expect(text, place).toContain(`"value":${value},`);
    }
    expect(await textAt(`/state-version-outputs/${output}`)).toContain(`"value":${number},`);
  });

  test('outputs of old states without types are still numbers', async () => {
    const { path, write } = await locked();
    await write(stateOf(1, { a: NUMBERS[0] ?? '' }).replace(',"type":"number"', ''), { serial: 1 });
    const { data } = (await acme.owner.call('GET', `${path}/current-state-version-outputs`)).body;
    expect(data[0].attributes).toMatchObject({ type: 'number', 'detailed-type': 'number' });
  });

  test('outputs that a client sends beside an encrypted state keep their digits', async () => {
    const { path, write } = await locked();
    const state = JSON.stringify({
      serial: 1,
      lineage: 'l',
      meta: {},
      encrypted_data: 'AAAA',
      encryption_version: 'v0',
    });
    const given = `{"a":{"value":${NUMBERS[0]},"type":"number"}}`;
    await write(state, { serial: 1, lineage: 'l', 'json-state-outputs': base64(given) });
    expect(await textAt(`${path}/current-state-version-outputs`)).toContain(`"value":${NUMBERS[0]},`);
  });

  test('a difference in the last digit is one, and another way to write a number is none', async () => {
    const { write } = await locked();
    const first = { id: '9007199254740992', ratio: '0.12345678901234567890', long: '1e400', same: '1.0', zero: '-0' };
    await write(stateOf(1, first), { serial: 1 });
    const second = { id: '9007199254740993', ratio: '0.12345678901234567891', long: '2e400', same: '1', zero: '0' };
    expect(await changed((await write(stateOf(2, second), { serial: 2 })).id)).toEqual(['id', 'long', 'ratio']);
    const third = { ...second, long: '20e399', same: '[1]', id: '9007199254740993.0' };
    expect(await changed((await write(stateOf(3, third), { serial: 3 })).id)).toEqual(['same']);
  });

  test('instances with keys that differ in the last digit are distinct', async () => {
    const { path, write } = await locked();
    const instances = ['9007199254740992', '9007199254740993'].map((key) => `{"index_key":${key},"attributes":{}}`);
    const resource = `{"mode":"managed","type":"x","name":"y","provider":"p","instances":[${instances.join()}]}`;
    const state = (serial: number) =>
      stateText(serial, { resources: [] }).replace('"resources":[]', `"resources":[${resource}]`);
    await write(state(1), { serial: 1 });
    await write(state(2), { serial: 2 });
    const { data } = (await acme.owner.call('GET', `${path}/resources`)).body;
    expect(data.map(({ attributes }: { attributes: object }) => attributes)).toMatchObject([
      { address: 'x.y[9007199254740992]', 'name-index': '9007199254740992' },
      { address: 'x.y[9007199254740993]', 'name-index': '9007199254740993' },
    ]);
  });
});
