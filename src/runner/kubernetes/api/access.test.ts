import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { accessOfPod } from './access.ts';
import { Cluster } from './cluster.ts';
import { accessByKubeconfig } from './kubeconfig.ts';

const folder = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const config = (cluster: string, user: string): string =>
  file(
    'config',
    `current-context: here
contexts: [{ name: here, context: { cluster: c, user: u, namespace: other } }]
clusters: [{ name: c, cluster: { ${cluster} } }]
users: [{ name: u, user: { ${user} } }]
`,
  );
const SERVER = 'server: "https://10.0.0.1:6443"';

describe('a kubeconfig', () => {
  test('has the URL and credentials of a cluster', async () => {
    file('ca.pem', 'CA\n');
    file('token', 'first\n');
    const key = Buffer.from('KEY').toString('base64');
    const access = await accessByKubeconfig(
      config(
        `${SERVER}, certificate-authority: ca.pem, tls-server-name: kubernetes`,
        `tokenFile: token, client-certificate: ca.pem, client-key-data: ${key}`,
      ),
    );
    expect(access).toMatchObject({
      ...{ address: 'https://10.0.0.1:6443', ca: 'CA', serverName: 'kubernetes' },
      certificate: { cert: 'CA', key: 'KEY' },
    });
    expect(await access.token()).toBe('first');
    file('token', 'second');
    expect(await access.token()).toBe('second');
  });

  test.each([
    [`${SERVER}, insecure-skip-tls-verify: true`, 'token: x', /disables certificate verification/],
    [`${SERVER}, proxy-url: "http://x"`, 'token: x', /proxy-url/],
    [SERVER, 'exec: { command: aws }', /credentials of a program/],
    [SERVER, 'username: a, password: b', /a password/],
    [SERVER, 'tokenFile: none', /cannot read/],
    ['a: b', 'token: x', /is not a kubeconfig: \/clusters\/0\/cluster/],
  ])('with %s and %s is refused, because the agent does not support it', async (cluster, user, reason) => {
    await expect(accessByKubeconfig(config(cluster, user)).then((access) => access.token())).rejects.toThrow(reason);
  });

  test('that is invalid is refused', async () => {
    await expect(accessByKubeconfig(file('none', '{'))).rejects.toThrow(/not valid YAML/);
    await expect(accessByKubeconfig(file('none', 'a: b'))).rejects.toThrow(/is not a kubeconfig/);
    await expect(accessByKubeconfig(join(folder, 'missing'))).rejects.toThrow(/cannot read/);
  });
});

describe('a pod', () => {
  test('uses the current token of its service account', async () => {
    file('ca.crt', 'CA');
    file('token', 'first');
    const environment = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
    const access = await accessOfPod(environment, folder);
    expect(access).toMatchObject({ address: 'https://[fd00::1]:443', ca: 'CA' });
    file('token', 'second');
    expect(await access.token()).toBe('second');
  });

  test('is required without a kubeconfig', async () => {
    await expect(accessOfPod({})).rejects.toThrow(/not run in a cluster/);
  });
});

test('tokens are not sent unencrypted to another machine', async () => {
  const access = await accessByKubeconfig(config('server: "http://10.0.0.1"', 'token: x'));
  expect(() => new Cluster(access, 'runs')).toThrow(/not use TLS/);
});
