import { createHash, randomBytes } from 'node:crypto';
import { archive as configurationArchive } from '../../support/samples/archive.ts';
import type { TestServer } from '../../support/server.ts';
import { type Derivation, type Derived, isIn, type Person, type World } from './world.ts';

const account = '/api/v2/account/details';
const lookup = '/v1/auth/token/lookup-self';
const REDIRECT = 'http://localhost:10009/login';

/** A console session of a user, which reads and writes. */
async function session(world: World, ends: (world: World, person: Person) => Promise<unknown>): Promise<Derived> {
  const person = await world.person();
  const ask = await world.signIn(person.token);
  const workspaces = `/api/v2/organizations/${person.organization}/workspaces`;
  return {
    uses: {
      reads: async (node) => isIn(await ask(node, 'GET', account)),
      writes: async (node) => {
        const data = { type: 'workspaces', attributes: { name: world.name() } };
        return isIn(await ask(node, 'POST', workspaces, { data }));
      },
      'is told who is there': async (node) => (await ask(node, 'GET', '/app/~session')).body.workspaces !== null,
    },
    end: () => ends(world, person),
  };
}

/** A session that holds a token of the access API or of a team, or a child of that token. */
const sessionWith = (token: string, world: World, path: string) =>
  world.signIn(token).then((ask) => async (node: TestServer) => isIn(await ask(node, 'GET', path)));

/** A user of the provider of an organization. */
async function providedSession(world: World, end: (path: string, token: string) => Promise<unknown>): Promise<Derived> {
  const { provider } = world;
  const { organization, token } = await world.person();
  const settings = {
    name: 'Ours',
    issuer: provider.issuer,
    'client-id': 'lockkeeper',
    'client-secret': 'between us two',
  };
  const path = `/organizations/${organization}/sign-in-provider`;
  await world.made(
    path,
    'sign-in-providers',
    { ...settings, create: 'always', 'certificate-authorities': provider.ca },
    { token },
  );
  const name = world.name();
  const ask = await world.signInWithProvider(organization, {
    sub: name,
    preferred_username: name,
    email: `${name}@b.example`,
  });
  return {
    uses: { reads: async (node) => isIn(await ask(node, 'GET', account)) },
    end: () => end(`/api/v2${path}`, token),
  };
}

/** A code that a command line is about to exchange for a token. */
async function loginCode(world: World, end: (world: World, person: Person) => Promise<unknown>): Promise<Derived> {
  const person = await world.person();
  const verifier = randomBytes(48).toString('base64url');
  const asked = {
    ...{
      client_id: 'terraform-cli',
      response_type: 'code',
      redirect_uri: REDIRECT,
      state: 'any',
      code_challenge_method: 'S256',
    },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  };
  const fields = { ...asked, token: person.token, description: 'laptop', lifetime: '8h' };
  const { headers } = await world.form(world.server, '/app/oauth2/authorize', fields);
  const code = new URL(headers.location ?? '').searchParams.get('code') ?? '';
  const redemption = { grant_type: 'authorization_code', code, client_id: 'terraform-cli', redirect_uri: REDIRECT };
  return {
    uses: {
      'becomes a token': async (node) =>
        isIn(await world.form(node, '/oauth2/token', { ...redemption, code_verifier: verifier })),
    },
    end: () => end(world, person),
  };
}

/** Form that answers invitations. With a valid ticket the response says that the invitation does not exist. */
async function ticket(world: World, end: (world: World, person: Person) => Promise<unknown>): Promise<Derived> {
  const [person, host] = [await world.person(), await world.person()];
  const { email } = (await world.done('GET', account, { token: person.token })).body.data.attributes;
  const invited = { type: 'organization-memberships', attributes: { email } };
  const memberships = `/api/v2/organizations/${host.organization}/organization-memberships`;
  await world.done('POST', memberships, { token: host.token, body: { data: invited } });
  const { text } = await world.form(world.server, '/app/invitations', { token: person.token });
  const held = /name="ticket" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const fields = { ticket: held, invitation: 'ou-none', answer: 'accept' };
  return {
    uses: {
      answers: async (node) => (await world.form(node, '/app/invitations/answers', fields)).status === 404,
    },
    end: () => end(world, person),
  };
}

/** Links to a state, an archive and a log. */
async function links(world: World, end: (world: World, person: Person) => Promise<unknown>): Promise<Derived> {
  const person = await world.person();
  const { token, organization } = person;
  const { id } = await world.made(
    `/organizations/${organization}/workspaces`,
    'workspaces',
    { name: 'one' },
    { token },
  );
  const call = (path: string, body?: unknown) => world.done('POST', `/api/v2/workspaces/${id}${path}`, { token, body });
  await call('/actions/lock');
  const state = JSON.stringify({
    version: 4,
    serial: 1,
    lineage: 'l',
    terraform_version: '1.9.0',
    outputs: {},
    resources: [],
  });
  const md5 = createHash('md5').update(state).digest('hex');
  const attributes = { serial: 1, md5, lineage: 'l', state: Buffer.from(state).toString('base64') };
  const version = (await call('/state-versions', { data: { type: 'state-versions', attributes } })).body.data;
  const archive = await world.made(
    `/workspaces/${id}/configuration-versions`,
    'configuration-versions',
    { 'auto-queue-runs': false },
    { token },
  );
  const bytes = { 'content-type': 'application/octet-stream' };
  const at = (url: string) => url.slice(new URL(url).origin.length);
  const upload = archive.attributes['upload-url'];
  return {
    uses: {
      'reads a state': async (node) =>
        isIn(await node.call('GET', at(version.attributes['hosted-state-download-url']))),
      'uploads an archive': async (node) => {
        const { status } = await node.call('PUT', at(upload), { body: configurationArchive(), headers: bytes });
        // A 409 or 422 also proves that the link is valid: 409 if there is an archive already.
        return status === 200 || status === 409 || status === 422;
      },
    },
    end: () => end(world, person),
  };
}

/** An event stream on each node. */
async function stream(world: World, token: string, end: () => Promise<unknown>): Promise<Derived> {
  const opened = new Map<TestServer, (() => boolean) | undefined>();
  for (const node of world.nodes) opened.set(node, await world.follow(node, token));
  return { uses: { 'goes on': async (node) => opened.get(node)?.() === true }, end };
}

/** A child token of the access API. */
async function child(world: World, more: object): Promise<Derived> {
  const made = async (token: string, body: object): Promise<string> =>
    (await world.done('POST', '/v1/auth/token/create', { token, body })).body.auth.client_token;
  const parent = await made(world.server.rootToken, { policies: ['root'], ttl: '1h' });
  const token = await made(parent, { policies: ['default'], ttl: '10m', ...more });
  return {
    uses: { reads: async (node) => isIn(await node.call('GET', lookup, { token })) },
    end: () => world.revoke(parent),
  };
}

async function wrapped(world: World): Promise<Derived> {
  const body = { policies: ['root'], ttl: '1h' };
  const { client_token: parent } = (await world.server.root('POST', '/v1/auth/token/create', body)).body.auth;
  const headers = { 'x-vault-wrap-ttl': '5m' };
  const kept = { token: parent, headers, body: { policies: ['default'] } };
  const { token } = (await world.done('POST', '/v1/auth/token/create', kept)).body.wrap_info;
  return {
    uses: {
      'what is in it reads': async (node) => {
        const { auth } = (await node.call('POST', '/v1/sys/wrapping/unwrap', { token })).body;
        return isIn(await node.call('GET', lookup, { token: auth.client_token }));
      },
    },
    end: () => world.revoke(parent),
  };
}

const BY_PERSON: readonly [string, (world: World, person: Person) => Promise<unknown>][] = [
  ['the token is deleted', (world, { tokenId, token }) => world.deleteToken(tokenId, token)],
  ['the user is suspended', (world, person) => world.suspend(person)],
];
type Made = (world: World, end: (world: World, person: Person) => Promise<unknown>) => Promise<Derived>;
const byPerson = (make: Made) =>
  Object.fromEntries(BY_PERSON.map(([how, end]) => [how, (world: World) => make(world, end)]));

const ACCESS = 'src/access/';
const TENANCY = 'src/workspaces/tenancy/';

/** Derived credentials of users, and of tokens of the access API. */
export const OF_PEOPLE: readonly Derivation[] = [
  {
    name: 'Console session of a user',
    sources: [`${TENANCY}session/sessions.ts`, 'src/console/session/session.ts', 'src/console/session/sign-in-flow.ts'],
    endings: {
      ...byPerson(session),
      'the session is ended from elsewhere': (world) =>
        session(world, (_, { id, token }) => world.done('DELETE', `/api/v2/users/${id}/sessions`, { token })),
    },
  },
  {
    name: 'Console session of any other token',
    sources: ['src/console/session/session.ts'],
    endings: {
      'a token of the access API is revoked': async (world) => {
        const body = { policies: ['root'], ttl: '1h' };
        const { client_token: token } = (await world.server.root('POST', '/v1/auth/token/create', body)).body.auth;
        return { uses: { reads: await sessionWith(token, world, lookup) }, end: () => world.revoke(token) };
      },
      'the token of a team is deleted': async (world) => {
        const { organization, token } = await world.person();
        const path = `/organizations/${organization}/teams`;
        const team = await world.made(path, 'teams', { name: 'ours', visibility: 'organization' }, { token });
        const only = `/teams/${team.id}/authentication-token`;
        const made = await world.made(only, 'authentication-tokens', {}, { token });
        const reads = await sessionWith(made.attributes.token, world, `/api/v2${path}`);
        return { uses: { reads }, end: () => world.done('DELETE', `/api/v2${only}`, { token }) };
      },
    },
  },
  {
    name: 'Console session of an identity provider',
    sources: [`${TENANCY}session/sessions.ts`],
    endings: {
      'the provider is deleted': (world) =>
        providedSession(world, (path, token) => world.done('DELETE', path, { token })),
      'another client vouches': (world) =>
        providedSession(world, (path, token) => {
          const attributes = { 'client-id': 'another', 'client-secret': 'between others' };
          return world.done('PATCH', path, { token, body: { data: { type: 'sign-in-providers', attributes } } });
        }),
      'the provider signs them out': (world) =>
        providedSession(world, async (path, token) => {
          const { id } = (await world.done('GET', path, { token })).body.data;
          const logout = { logout_token: await world.provider.logoutToken() };
          return world.form(world.server, `/app/~session/oidc/logout/${id}`, logout);
        }),
    },
  },
  {
    name: 'Login code of `tofu login` or `terraform login`',
    sources: [`${TENANCY}login/logins.ts`],
    endings: byPerson(loginCode),
    once: true,
  },
  {
    name: 'Form to accept or decline invitations',
    sources: [`${TENANCY}login/invitations.ts`],
    endings: byPerson(ticket),
  },
  {
    name: 'Signed URL',
    sources: [
      'src/lib/signed-links/signed-links.ts',
      `${TENANCY}authentication/link-admission.ts`,
      'src/workspaces/state/version/links.ts',
      'src/workspaces/execution/configuration-version/uploads.ts',
      'src/workspaces/execution/run/phases.ts',
    ],
    endings: byPerson(links),
  },
  {
    name: 'Event stream',
    sources: ['src/workspaces/execution/change/streams.ts'],
    soon: true,
    endings: byPerson(async (world, end) => {
      const person = await world.person();
      return stream(world, person.token, () => end(world, person));
    }),
  },
  {
    name: 'Child of a token of the access API',
    sources: [
      `${ACCESS}tokens/lifecycle/token-service.ts`,
      `${ACCESS}tokens/creation/create-operations.ts`,
      `${ACCESS}tokens/lifecycle/batch-token.ts`,
    ],
    endings: {
      'its parent is revoked': (world) => child(world, {}),
      'its parent is revoked, and it is a batch token': (world) => child(world, { type: 'batch' }),
    },
  },
  {
    name: 'Response in a wrapping token',
    sources: [`${ACCESS}wrapping/wrapping.ts`],
    once: true,
    endings: { 'the token that made it is revoked': wrapped },
  },
  {
    name: 'Token of a user, a team or an organization',
    sources: [
      `${TENANCY}token/tokens.ts`,
      `${TENANCY}token/team-tokens.ts`,
      `${TENANCY}token/organization-tokens.ts`,
      `${TENANCY}authentication/token-text.ts`,
    ],
    endings: {
      'the user is suspended': async (world) => {
        const person = await world.person();
        const reads = async (node: TestServer) => isIn(await node.call('GET', account, { token: person.token }));
        return { uses: { reads }, end: () => world.suspend(person) };
      },
      'the team is deleted': async (world) => {
        const { organization, token } = await world.person();
        const path = `/organizations/${organization}/teams`;
        const { id } = await world.made(path, 'teams', { name: 'ours' }, { token });
        const made = await world.made(`/teams/${id}/authentication-token`, 'authentication-tokens', {}, { token });
        const held = { token: made.attributes.token };
        return {
          uses: { reads: async (node) => isIn(await node.call('GET', `/api/v2/teams/${id}`, held)) },
          end: () => world.done('DELETE', `/api/v2/teams/${id}`, { token }),
        };
      },
      'the organization is deleted': async (world) => {
        const { organization, token } = await world.person();
        const own = `/organizations/${organization}`;
        const made = await world.made(`${own}/authentication-token`, 'authentication-tokens', {}, { token });
        const held = { token: made.attributes.token };
        return {
          uses: { reads: async (node) => isIn(await node.call('GET', `/api/v2${own}`, held)) },
          end: () => world.done('DELETE', `/api/v2${own}`, { token }),
        };
      },
    },
  },
];
