import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeCluster } from '../../../test/support/kubernetes/cluster.ts';
import { Cluster } from './api/cluster.ts';
import { accessByKubeconfig } from './api/kubeconfig.ts';
import { ClusterPoller } from './cluster-poller.ts';
import { Observation } from './observation.ts';

let fake: FakeCluster;
beforeEach(async () => {
  fake = await FakeCluster.start();
});
afterEach(() => fake.stop());

test('a pod on a lost node is given up after its grace period', async () => {
  fake.fate = { status: { phase: 'Running' } };
  const cluster = new Cluster(await accessByKubeconfig(fake.kubeconfig), 'runs');
  const lines: string[] = [];
  const say = (text: string): void => void lines.push(text);
  const log = { info: say, warn: say };
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [] } };
  await cluster.createJob({ metadata: { name: 'job-1', labels: { a: 'b' } }, spec: { template } });
  let now = 0;
  const poller = new ClusterPoller(cluster, 'a=b', log);
  const place = { cluster, poller, log, settings: { startTimeout: 600 }, now: () => now };
  const end = new Observation('job-1', place).end(() => {
    const pod = fake.onlyPod();
    pod.metadata = { ...pod.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };
  }, new AbortController().signal);
  await expect.poll(() => lines, { timeout: 20_000 }).toContain('the pod is being evicted from its node');
  now = 211_000;
  await expect(end).rejects.toThrow('The node node-1 does not respond, so the agent stopped waiting for its pod');
});
