import { afterAll, describe, expect, it } from 'vitest';
import { httpCollector } from '../../support/collectors/audit-collectors.ts';
import { postgresUrl } from '../../support/databases.ts';
import { WorkersInstallation } from '../../support/workers.ts';

const SLOW = { timeout: 120_000 };

describe.skipIf(postgresUrl === undefined)('audit logs of several workers, buffered on disk', () => {
  let installation: WorkersInstallation;
  afterAll(() => installation.remove());

  it('loses nothing when all of them are killed', SLOW, async () => {
    let status = 503;
    const collector = await httpCollector(() => status);
    const sink = `{ type: http, url: "${collector.url}", buffer_directory: waiting }`;
    installation = new WorkersInstallation(`limits: { lame_duck: 0s }\nworkers: 2\naudit: { sinks: [${sink}] }`);
    await installation.init();
    const server = await installation.serve();
    const headers = { 'x-service-token': installation.tokens.root };
    const ask = (path: string) => fetch(server.plainAddress + path, { headers });
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask('/v1/auth/token/lookup-self')));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(await (await ask('/metrics')).text()).toMatch(/audit_buffer_bytes\{sink="http"\} [1-9]/);
    const pids = server.workerPids();
    expect(pids).toHaveLength(2);
    server.command.signal('SIGKILL');
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await server.command.ended();
    status = 200;
    // One process sends the buffers that two workers have left.
    const after = installation.command('serve', 'workers=1');
    const delivered = () => new Set(collector.lines().map((line) => JSON.parse(line).request_id));
    const missing = () => answers.filter((answer) => !delivered().has(answer.headers.get('x-request-id')));
    await expect.poll(missing, { timeout: 90_000 }).toEqual([]);
    after.signal('SIGTERM');
    expect(await after.ended()).toMatchObject({ code: 0 });
  });
});
