import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { Diagnosable } from '../../support/diagnose/diagnosed.ts';
import { startTestServer } from '../../support/server.ts';
import { breakDelivery } from '../../support/tasks/broken-task.ts';

it.each(databaseKinds)(
  'lockkeeper diagnose shows the background tasks of a running server, on %s',
  { timeout: 90_000 },
  async (kind) => {
    const server = await startTestServer(kind);
    const site = new Diagnosable();
    onTestFinished(async () => {
      await site.remove();
      await server.stop();
    });
    const files = {
      certificate_file: join(server.folder, 'server.pem'),
      private_key_file: join(server.folder, 'server.key'),
    };
    const { host } = new URL(server.address);
    site.configure('', `{ address: "${host}", services: [access, workspaces], tls: ${JSON.stringify(files)} }`);
    await site.init();
    const before = await site.diagnose();
    expect(before.found('background', 'tasks', 'notification-delivery')).toMatch(/^success: ok, started \d+ s ago/);
    expect(before.bad().filter((path) => path.includes('background'))).toEqual([]);

    const repair = await breakDelivery(server);
    const { bad, found, stdout } = await site.diagnose();
    expect(bad()).toContain('warning background / tasks / notification-delivery');
    expect(found('background', 'tasks', 'notification-delivery')).toMatch(
      /^warning: failed \d+ times in a row since 10 min, last with \w+$/,
    );
    expect(stdout).toContain('look for log entries with \\"task\\":\\"notification-delivery\\"');
    await repair();
  },
);
