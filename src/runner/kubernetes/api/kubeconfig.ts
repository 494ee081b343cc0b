import { dirname, resolve } from 'node:path';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { parse } from 'yaml';
import { JobFailure } from '../../ports.ts';
import { type ClusterAccess, readText } from './access.ts';

const text = Type.Optional(Type.String());
const cluster = Type.Object({
  server: Type.String(),
  'certificate-authority': text,
  'certificate-authority-data': text,
  'tls-server-name': text,
  'insecure-skip-tls-verify': Type.Optional(Type.Boolean()),
  'proxy-url': text,
});
const user = Type.Object({
  token: text,
  tokenFile: text,
  'client-certificate': text,
  'client-certificate-data': text,
  'client-key': text,
  'client-key-data': text,
  username: text,
  exec: Type.Optional(Type.Unknown()),
  'auth-provider': Type.Optional(Type.Unknown()),
});
const context = Type.Object({ cluster: Type.String(), user: Type.String() });
const file = Compile(
  Type.Object({
    'current-context': Type.String(),
    contexts: Type.Array(Type.Object({ name: Type.String(), context })),
    clusters: Type.Array(Type.Object({ name: Type.String(), cluster })),
    users: Type.Array(Type.Object({ name: Type.String(), user })),
  }),
);
type Cluster = Static<typeof cluster>;
type User = Static<typeof user>;

/** Returns access by the current context of a kubeconfig. Does not run programs that it names. @throws JobFailure */
export async function accessByKubeconfig(path: string): Promise<ClusterAccess> {
  const read = contentOf(await readText(path), path);
  const { context } = find(read.contexts, read['current-context'], path);
  const { cluster } = find(read.clusters, context.cluster, path);
  const { user } = find(read.users, context.user, path);
  refuseOthers(cluster, user, path);
  const pem = (data: string | undefined, name: string | undefined): Promise<string | null> =>
    pemOf(data, name, dirname(path));
  const cert = await pem(user['client-certificate-data'], user['client-certificate']);
  const key = await pem(user['client-key-data'], user['client-key']);
  return {
    address: cluster.server,
    ca: await pem(cluster['certificate-authority-data'], cluster['certificate-authority']),
    serverName: cluster['tls-server-name'] ?? null,
    certificate: cert !== null && key !== null ? { cert, key } : null,
    token: tokenOf(user, dirname(path)),
  };
}

function contentOf(content: string, path: string) {
  let tree: unknown;
  try {
    tree = parse(content, { maxAliasCount: 0 });
  } catch {
    throw new JobFailure(`${path} is not a kubeconfig: it is not valid YAML`);
  }
  if (file.Check(tree)) return tree;
  const [problem] = file.Errors(tree);
  throw new JobFailure(`${path} is not a kubeconfig: ${problem?.instancePath || 'it'} ${problem?.message}`);
}

function find<T extends { readonly name: string }>(all: readonly T[], name: string, path: string): T {
  const found = all.find((one) => one.name === name);
  if (found === undefined) throw new JobFailure(`${path} refers to ${JSON.stringify(name)}, but does not contain it`);
  return found;
}

/** Refuses settings that this agent does not support, instead of ignoring them. */
function refuseOthers(cluster: Cluster, user: User, path: string): void {
  const problem = (what: string): never => {
    throw new JobFailure(`${path} ${what}`);
  };
  if (cluster['insecure-skip-tls-verify'] === true)
    problem('disables certificate verification: set certificate-authority instead');
  if (cluster['proxy-url'] !== undefined) problem('has a proxy-url, which this agent does not support');
  if (user.exec !== undefined || user['auth-provider'] !== undefined || user.username !== undefined) {
    problem('has credentials of a program or a password: use a token, a tokenFile or a client certificate');
  }
}

async function pemOf(data: string | undefined, name: string | undefined, folder: string): Promise<string | null> {
  if (data !== undefined) return Buffer.from(data, 'base64').toString();
  return name === undefined ? null : await readText(resolve(folder, name));
}

function tokenOf({ token, tokenFile }: User, folder: string): ClusterAccess['token'] {
  if (tokenFile !== undefined) return () => readText(resolve(folder, tokenFile));
  return async () => token ?? null;
}
