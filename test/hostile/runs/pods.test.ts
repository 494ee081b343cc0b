import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FakeCluster, settingsOfGuide } from '../../support/kubernetes/cluster.ts';
import { SharedAgent } from './support/shared-agent.ts';

describe('a malicious configuration in a pod', { timeout: 180_000 }, () => {
  let cluster: FakeCluster;
  let shared: SharedAgent;
  beforeAll(async () => {
    cluster = await FakeCluster.start();
    const { executor, kubernetes } = settingsOfGuide() as { executor: string; kubernetes: object };
    shared = await SharedAgent.start((engine) => {
      const config = {
        executor,
        kubernetes: { ...kubernetes, kubeconfig: cluster.kubeconfig, args: ['--engine', engine] },
      };
      mkdirSync(join(cluster.folder, 'settings'));
      writeFileSync(join(cluster.folder, 'settings', 'agent.yaml'), JSON.stringify(config));
      return ['--config', join(cluster.folder, 'settings', 'agent.yaml')];
    });
  });
  afterAll(async () => {
    await shared.stop();
    await cluster.stop();
  });

  test('fails its own run, and no other', async () => {
    const { pid } = shared;
    const honest = await shared.honestRun();
    // The malicious run kills all processes of its job, including its agent.
    const malicious = await shared.queue('[ $1 = plan ] && { kill -9 $PPID; sleep 600; }');
    expect(await shared.outcomeOf(malicious)).toMatchObject({ status: 'errored' });
    expect(await honest.end()).toMatchObject({ status: 'applied' });
    expect([shared.isAlive, shared.pid]).toEqual([true, pid]);
    expect(await shared.outcomeOf(await shared.queue())).toMatchObject({ status: 'applied' });
    // Each job has its own pod, with resource limits.
    for (const { spec } of cluster.made) {
      const [container] = spec?.template?.spec?.containers ?? [];
      expect(container?.resources?.limits).toMatchObject({ memory: expect.any(String) });
    }
  });
});
