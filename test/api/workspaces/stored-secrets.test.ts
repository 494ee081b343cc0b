import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sealedColumns } from '../../../src/composition/index.ts';
import { createRoot } from '../../../src/pki/index.ts';
import { databaseKinds } from '../../support/databases.ts';
import { type Notifying, startNotifying } from './support/notifications.ts';

/** A resource with a stored secret, and a change of each attribute that its secret is bound to. */
interface Bound {
  readonly type: string;
  /** Creates the resource with a secret. Returns its path. */
  create(server: Notifying): Promise<string>;
  readonly secret: string;
  readonly changes: Readonly<Record<string, (server: Notifying) => string>>;
  /** Attribute in the error when the secret is missing. */
  readonly blamed?: string;
  /** Whether the resource cannot be without the secret, so that null is no value of it. */
  readonly isNeeded?: true;
}

const AUTHORITIES = createRoot({ subject: 'Provider CA' }).pem;
let names = 0;

async function made({ acme }: Notifying, path: string, type: string, attributes: object): Promise<string> {
  const answer = await acme.owner.call('POST', path, { data: { type, attributes } });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data.id;
}

/** A connection whose token or secret is bound to the URLs of its provider. */
function connection(secret: string, attributes: object): Bound {
  return {
    ...{ type: 'oauth-clients', secret, isNeeded: true },
    changes: { 'api-url': () => 'https://10.0.0.2', 'http-url': () => 'https://elsewhere.example.com' },
    async create(server) {
      const path = `/organizations/${server.acme.name}/oauth-clients`;
      const urls = { 'http-url': 'https://git.example.com', 'api-url': 'https://10.0.0.1' };
      const all = { 'service-provider': 'gitea', ...urls, ...attributes };
      return `/oauth-clients/${await made(server, path, 'oauth-clients', all)}`;
    },
  };
}
const TOKEN_OF_CONNECTION = connection('oauth-token-string', { 'oauth-token-string': 'secret' });

/** Bound secrets, by the column that stores them encrypted. */
const BOUND: Readonly<Record<string, Bound>> = {
  'oauth_client.secrets': connection('secret', { key: 'us', secret: 'secret' }),
  'oauth_token.token': TOKEN_OF_CONNECTION,
  // The refresh token is of the same sign-in as the token.
  'oauth_token.refresh_token': TOKEN_OF_CONNECTION,
  'sign_in_provider.client_secret': {
    type: 'sign-in-providers',
    secret: 'client-secret',
    changes: { issuer: () => 'https://other.example.org', 'certificate-authorities': () => AUTHORITIES },
    async create(server) {
      const path = `/organizations/${server.acme.name}/sign-in-provider`;
      const attributes = { name: 'id', issuer: 'https://id.example.org', 'client-id': 'us', 'client-secret': 'secret' };
      await made(server, path, 'sign-in-providers', attributes);
      return path;
    },
  },
  'notification_configuration.token': {
    type: 'notification-configurations',
    secret: 'token',
    changes: { url: ({ receiver }) => `${receiver.address}/elsewhere` },
    async create(server) {
      const path = `/workspaces/${await server.acme.workspace(`w-${++names}`)}/notification-configurations`;
      const id = await made(server, path, 'notification-configurations', {
        ...{ name: 'one', 'destination-type': 'generic', token: 'secret', enabled: true },
        url: `${server.receiver.address}/first`,
      });
      return `/notification-configurations/${id}`;
    },
  },
  'run_task.hmac_key': {
    type: 'tasks',
    secret: 'hmac-key',
    changes: { url: ({ receiver }) => `${receiver.address}/elsewhere` },
    async create(server) {
      const path = `/organizations/${server.acme.name}/tasks`;
      const url = `${server.receiver.address}/first`;
      return `/tasks/${await made(server, path, 'tasks', { name: `t-${++names}`, url, 'hmac-key': 'secret', category: 'task' })}`;
    },
  },
  'variable.value': {
    type: 'vars',
    secret: 'value',
    blamed: 'key',
    changes: { key: () => 'elsewhere' },
    async create(server) {
      const path = `/workspaces/${await server.acme.workspace(`w-${++names}`)}/vars`;
      const attributes = { key: 'first', value: 'secret', category: 'terraform', sensitive: true };
      return `${path}/${await made(server, path, 'vars', attributes)}`;
    },
  },
};

test('every encrypted column declares the binding of its values, and each binding is tested here', () => {
  const bound = sealedColumns.columns.filter(({ boundTo }) => boundTo.length > 0);
  const declared = bound.map(({ table, column, boundTo }) => [`${table}.${column}`, [...boundTo].toSorted()]);
  const tried = Object.entries(BOUND).map(([name, { changes }]) => [name, Object.keys(changes).toSorted()]);
  expect(declared.toSorted()).toEqual(tried.toSorted());
});

describe.each(databaseKinds)('a stored secret on %s', (kind) => {
  let server: Notifying;
  beforeAll(async () => {
    server = await startNotifying(kind);
  });
  afterAll(async () => {
    await server.api.close();
    await server.receiver.stop();
  });

  const cases = Object.entries(BOUND).flatMap(([column, { changes }]) =>
    Object.keys(changes).map((attribute) => [column, attribute] as const),
  );
  test.each(cases)('%s cannot be moved to another %s without sending it again', async (column, attribute) => {
    const bound = BOUND[column] as Bound;
    const path = await bound.create(server);
    const patch = (attributes: object) =>
      server.acme.owner.call('PATCH', path, { data: { type: bound.type, attributes } });
    const shown = async () => (await server.acme.owner.call('GET', path)).body.data.attributes;
    const before = await shown();
    const sent = server.receiver.at('/elsewhere').length;
    const moved = { [attribute]: bound.changes[attribute]?.(server) };

    const refused = await patch(moved);
    expect([refused.status, refused.body.errors.length], refused.text).toEqual([422, 1]);
    expect(refused.body.errors[0].source.pointer).toBe(`/data/attributes/${bound.blamed ?? bound.secret}`);
    expect(await shown()).toEqual(before);
    expect(server.receiver.at('/elsewhere')).toHaveLength(sent);

    expect((await patch({ [attribute]: before[attribute] })).status).toBe(200);
    expect((await patch({ ...moved, [bound.secret]: 'secret' })).status).toBe(200);
    expect((await patch({ [attribute]: before[attribute] })).status).toBe(422);
    const without = await patch({ [attribute]: before[attribute], [bound.secret]: null });
    expect(without.status).toBe(bound.isNeeded ? 422 : 200);
  });
});
