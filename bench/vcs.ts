/**
 * Measures one push to a repository that many workspaces follow: the time until the last run is queued, requests to the
 * Git server, CPU time and memory of the server. Each workspace has a folder of its own and a shared folder as trigger;
 * the push changes the shared one, so that all of them run. The repository is on a real Git server on this machine.
 *
 *     npm run bench:vcs [-- --database postgres --workspaces 500 --pushes 3]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startGitServer } from '../test/support/git-server.ts';
import { call } from '../test/support/http.ts';
import { cpuMicroseconds, residentMegabytes } from './support/measure.ts';
import { startLockkeeper } from './support/servers.ts';

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    workspaces: { type: 'string', default: '500' },
    pushes: { type: 'string', default: '3' },
  },
});
const count = Number(values.workspaces);
const url = process.env.LOCKKEEPER_TEST_POSTGRES;
if (values.database === 'postgres' && url === undefined) throw new Error('LOCKKEEPER_TEST_POSTGRES is not set');
const storage =
  values.database === 'postgres'
    ? `{ type: postgres, url: '${url}', blob_directory: blobs }`
    : '{ type: sqlite, directory: data }';
const git = await startGitServer();
const repository = await git.createRepository('team/infra.git');
const folders = Array.from({ length: count }, (_, index) => `stacks/s${index}`);
await repository.commit(
  Object.fromEntries([
    ...folders.flatMap((folder) => ['main.tf', 'variables.tf'].map((file) => [`${folder}/${file}`, `# ${folder}\n`])),
    ...Array.from({ length: 20 }, (_, index) => [`modules/m${index}/main.tf`, '# module\n']),
  ]),
  'first',
);

const lockkeeper = await startLockkeeper(
  `${storage}\nworkspaces: { execution: agents }\nvcs: { allowed_addresses: [127.0.0.1] }`,
);
const { pid, port } = lockkeeper.plain;
const { token, path: shown } = lockkeeper.show;

// biome-ignore lint/suspicious/noExplicitAny: whatever comes back
async function ask(method: string, path: string, body?: object): Promise<any> {
  const answer = await call({ address: `http://127.0.0.1:${port}` }, method, `/api/v2${path}`, { token, body });
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

const organization = (await ask('GET', shown.replace('/api/v2', ''))).data.relationships.organization.data.id;
const document = (type: string, attributes: object) => ({ data: { type, attributes } });
const client = await ask(
  'POST',
  `/organizations/${organization}/oauth-clients`,
  document('oauth-clients', {
    ...{ 'service-provider': 'git', 'http-url': git.address, 'api-url': git.address },
    'oauth-token-string': 'ada:secret',
  }),
);
const oauthToken = client.data.relationships['oauth-tokens'].data[0].id;
while ((await ask('GET', `/oauth-clients/${client.data.id}`)).data.attributes['connection-status'] !== 'ok') {
  await sleep(100);
}
const pool = await ask(
  'POST',
  `/organizations/${organization}/agent-pools`,
  document('agent-pools', { name: 'bench' }),
);
let workspace = '';
for (const [index, folder] of folders.entries()) {
  const { data } = await ask(
    'POST',
    `/organizations/${organization}/workspaces`,
    document('workspaces', {
      ...{ name: `s${index}`, 'execution-mode': 'agent', 'agent-pool-id': pool.data.id, 'queue-all-runs': true },
      ...{ 'working-directory': folder, 'trigger-prefixes': ['modules'] },
      'vcs-repo': { identifier: 'team/infra.git', 'oauth-token-id': oauthToken },
    }),
  );
  workspace = data.id;
}

/** Waits until all workspaces have run a commit. Returns the event. */
async function done(commitId: string) {
  for (;;) {
    const { data } = await ask('GET', `/organizations/${organization}/vcs-events?page[size]=1`);
    const attributes = data[0]?.attributes;
    if (
      attributes?.['after-sha'] === commitId &&
      attributes.state === 'done' &&
      attributes['verdict-count'] === count
    ) {
      return attributes;
    }
    await sleep(20);
  }
}

/** Waits until the first run of each workspace is queued; each is an event of its own. */
async function started(): Promise<void> {
  for (let queued = 0; queued < count; ) {
    await sleep(1000);
    const pages = Array.from({ length: Math.ceil(count / 100) }, (_, index) => index + 1);
    const lists = await Promise.all(
      pages.map((page) => ask('GET', `/organizations/${organization}/vcs-events?page[size]=100&page[number]=${page}`)),
    );
    queued = lists.flatMap(({ data }) => data).filter(({ attributes }) => attributes['run-count'] === 1).length;
  }
}

const linkedAt = performance.now();
await started();
console.log(`first runs were queued ${((performance.now() - linkedAt) / 1000).toFixed(1)} s after the last workspace`);
console.log(`${count} workspaces follow the repository; ${git.requests.length} requests to the Git server so far`);
for (let push = 1; push <= Number(values.pushes); push++) {
  const commitId = await repository.commit({ 'modules/m1/main.tf': `# push ${push}\n` }, `push ${push}`);
  git.requests.length = 0;
  const cpu = cpuMicroseconds(pid);
  const from = performance.now();
  await ask('POST', `/workspaces/${workspace}/actions/look-up`);
  const event = await done(commitId);
  if (event['run-count'] !== count) {
    const { data } = await ask('GET', `/workspaces/${workspace}/vcs-events`);
    throw new Error(JSON.stringify(data[0]?.attributes.verdict));
  }
  const seconds = (performance.now() - from) / 1000;
  const bytes = git.requests.reduce((sum, request) => sum + request.bytes, 0);
  console.log(
    `push ${push}: ${event['run-count']} runs queued after ${seconds.toFixed(1)} s, ` +
      `${git.requests.length} requests to the Git server (${Math.round(bytes / 1024)} KB), ` +
      `${((cpuMicroseconds(pid) - cpu) / 1e6).toFixed(1)} s CPU, ${residentMegabytes(pid).toFixed(0)} MB resident`,
  );
}
await lockkeeper.stop();
await git.stop();
