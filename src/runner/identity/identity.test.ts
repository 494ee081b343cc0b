import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../../../test/support/receiver.ts';
import { scripted } from '../../../test/support/runner/engine.ts';
import { executeTrial, isolations, type Outcome, PLAN } from '../../../test/support/runner/run.ts';
import type { JobIdentity } from '../job.ts';
import { secretsOf } from '../log/secrets.ts';

const EACH = isolations.map((isolation) => ({ name: isolation.name, isolation }));
const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl';
const NOTHING: JobIdentity = { problem: null, environment: {}, files: [], logins: [], secrets: [] };

let vault: Receiver;
beforeAll(async () => {
  vault = await startReceiver();
});
afterEach(() => {
  vault.received.length = 0;
});
afterAll(() => vault.stop());

const login = (changed: object = {}) => ({
  ...{ address: vault.address, namespace: 'team', path: 'runs/jwt', role: 'reader', token: JWT },
  ...{ authorities: vault.ca, file: 'vault.token', variable: 'VAULT_TOKEN', ...changed },
});
const lets =
  (token: string, auth: object = {}) =>
  () =>
    (vault.answer = ({ path }, response) =>
      void response.end(path.endsWith('/login') ? JSON.stringify({ auth: { client_token: token, ...auth } }) : '{}'));
const asked = () => vault.received.map(({ path, headers }) => `${path} ${headers['x-vault-token'] ?? ''}`);

/** Returns the log of a job whose engine runs the script as its plan step; the job fails there. */
const planned = (script: string, identity: JobIdentity, trial: object = {}): Promise<Outcome> => {
  const { engines, engine } = scripted(`[ "$1" = plan ] || exit 0\n${script}\nexit 1`);
  return executeTrial({ job: { engine, identity }, parts: { engines }, files: { 'main.tf': '' }, ...trial });
};
const failure = ({ end }: Outcome): string => (end.kind === 'failed' ? end.reason : end.kind);

describe.each(EACH)('a job with a workload identity, isolation $name', ({ name, isolation }) => {
  test('has files that its engine can read, and environment variables with their paths', async () => {
    const { log } = await planned(
      `wc -c < "$AWS_WEB_IDENTITY_TOKEN_FILE"
      stat -c %a "$AWS_WEB_IDENTITY_TOKEN_FILE" "$(dirname "$AWS_WEB_IDENTITY_TOKEN_FILE")"
      cat "$CONFIG"
      cat "$AWS_WEB_IDENTITY_TOKEN_FILE"
      (echo x >> "$AWS_WEB_IDENTITY_TOKEN_FILE") 2> /dev/null && echo changed`,
      {
        ...NOTHING,
        environment: {
          AWS_WEB_IDENTITY_TOKEN_FILE: '{{identity}}/aws.token',
          CONFIG: '{{identity}}/aws-A.config',
        },
        files: [
          { name: 'aws.token', content: JWT },
          { name: 'aws-A.config', content: 'file={{identity}}/aws.token\n' },
        ],
        secrets: [JWT],
      },
      { isolation },
    );
    const lines = log.split('\n').slice(3);
    expect(lines.slice(0, 3)).toEqual([String(JWT.length), '600', '700']);
    expect(lines[3]).toMatch(/^file=\/.*\/identity\/aws\.token$/);
    expect(lines[4]).toMatch(/^\*\*\*/);
    expect(log).not.toContain(JWT);
    if (name === 'bubblewrap') expect(log).not.toContain('changed');
  });

  test('has a Vault token that no log shows, and that is revoked after the engine has ended', async () => {
    lets('hvs.given-to-the-run', { lease_duration: 1200, renewable: true })();
    const { log } = await planned(
      `echo "length $(printf %s "$VAULT_TOKEN" | wc -c)"; cat "$FILE"; echo; echo "token $VAULT_TOKEN"`,
      { ...NOTHING, environment: { FILE: '{{identity}}/vault.token', VAULT_TOKEN: 'theirs' }, logins: [login()] },
      { isolation },
    );
    expect(log).toContain('length 20\n***\ntoken ***\n');
    expect(log).not.toContain('given-to-the-run');
    expect(asked()).toEqual(['/v1/auth/runs/jwt/login ', '/v1/auth/token/revoke-self hvs.given-to-the-run']);
    expect(vault.received[0]).toMatchObject({
      method: 'POST',
      headers: { 'x-vault-namespace': 'team' },
      body: { role: 'reader', jwt: JWT },
    });
  });
});

test('overrides environment variables of the workspace', async () => {
  const variable = { key: 'AWS_ROLE_ARN', value: 'old', category: 'env' as const, hcl: false, sensitive: false };
  const { engines, engine } = scripted('[ "$1" = plan ] || exit 0\necho "role $AWS_ROLE_ARN"\nexit 1');
  const identity = { ...NOTHING, environment: { AWS_ROLE_ARN: 'new' } };
  const { log } = await executeTrial({
    job: { engine, identity, variables: [variable] },
    parts: { engines },
    files: { 'main.tf': '' },
  });
  expect(log).toContain('role new\n');
});

test('masks its tokens', () => {
  expect(secretsOf({ ...PLAN, identity: { ...NOTHING, secrets: [JWT] } })).toEqual([JWT]);
  expect([secretsOf({ ...PLAN, identity: null }), secretsOf(PLAN)]).toEqual([[], []]);
});

describe('a job without a usable workload identity', () => {
  test('ends before its engine starts, with the reason', async () => {
    const outcome = await planned('echo started', { ...NOTHING, problem: 'TFC_AWS_RUN_ROLE_ARN is missing' });
    expect(failure(outcome)).toBe('TFC_AWS_RUN_ROLE_ARN is missing');
    expect(outcome.log).toMatch(/Error: TFC_AWS_RUN_ROLE_ARN is missing\n$/);
    expect(outcome.log).not.toContain('started');
  });

  test.each(['../escape', 'a/b', '.hidden', ''])('has no file called %j', async (file) => {
    const outcome = await planned('echo started', { ...NOTHING, files: [{ name: file, content: 'x' }] });
    expect(failure(outcome)).toBe(`${JSON.stringify(file)} is not a valid file name`);
  });

  test('shows the error of Vault, and revokes the token of another Vault', async () => {
    let logins = 0;
    vault.answer = ({ path }, response) => {
      if (path.endsWith('/login') && ++logins === 2) {
        response.statusCode = 400;
        response.end(JSON.stringify({ errors: ['error validating token:\n invalid audience (aud) claim'] }));
      } else response.end('{"auth":{"client_token":"hvs.first"}}');
    };
    const outcome = await planned('echo started', { ...NOTHING, logins: [login(), login({ file: 'vault-B.token' })] });
    expect(failure(outcome)).toBe(
      `Vault at ${vault.address} rejected the login with the role reader of auth/runs/jwt: error validating token: invalid audience (aud) claim`,
    );
    expect(asked().at(-1)).toBe('/v1/auth/token/revoke-self hvs.first');
  });

  test.each([
    ['a token that is not a string', 200, '{"auth":{"client_token":{}}}'],
    ['a token with a line break', 200, '{"auth":{"client_token":"a\\r\\nx: y"}}'],
    ['no JSON', 200, '<html>'],
    ['a redirection', 307, ''],
    ['nothing', 200, ''],
  ])('fails if Vault answers with %s', async (_, status, body) => {
    vault.answer = (_received, response) => {
      response.writeHead(status, { location: 'http://127.0.0.1:1/' });
      response.end(body);
    };
    const outcome = await planned('echo started', { ...NOTHING, logins: [login()] });
    expect(failure(outcome)).toContain(`: it answered with status ${status}`);
    expect(vault.received).toHaveLength(1);
  });

  test('fails for an endless response, and for an untrusted certificate', async () => {
    vault.answer = (_received, response) => void response.end('x'.repeat(2_000_000));
    const endless = await planned('echo started', { ...NOTHING, logins: [login()] });
    expect(failure(endless)).toContain('did not respond: the response is larger than 1048576 bytes');
    const unknown = await planned('echo started', { ...NOTHING, logins: [login({ authorities: null })] });
    expect(failure(unknown)).toMatch(/did not respond: .*(certificate|signature)/);
  }, 20_000);

  test('stops waiting when it is stopped', async () => {
    const stop = new AbortController();
    vault.answer = () => stop.abort();
    const outcome = await planned('echo started', { ...NOTHING, logins: [login()] }, { interrupt: stop.signal });
    expect(outcome.end).toEqual({ kind: 'canceled', isForced: false });
  });
});

test('a Vault that is unavailable for a moment gets the request again', async () => {
  vault.answer = (_received, response) => {
    response.statusCode = 503;
    response.end('{}');
    lets('hvs.later')();
  };
  const outcome = await planned('echo "length $(printf %s "$VAULT_TOKEN" | wc -c)"', { ...NOTHING, logins: [login()] });
  expect(outcome.log).toContain('length 9\n');
});

test('a failed revocation is in the log', async () => {
  vault.answer = ({ path }, response) => {
    if (!path.endsWith('/login')) response.statusCode = 403;
    response.end('{"auth":{"client_token":"hvs.kept"}}');
  };
  const { log } = await planned('echo', { ...NOTHING, logins: [login()] });
  expect(log).toContain('could not be revoked');
});
