import type { Job } from 'kubernetes-types/batch/v1.d.ts';
import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, test } from 'vitest';
import { jobStatusOf } from './job-status.ts';

const job = (conditions: { type: string; status: string; reason?: string; message?: string }[] = []): Job => ({
  metadata: { name: 'lockkeeper-plan-1', uid: 'job-uid' },
  status: { conditions },
});
function pod(status: NonNullable<Pod['status']>, metadata: Pod['metadata'] = {}): Pod {
  const ownerReferences = [{ apiVersion: 'batch/v1', kind: 'Job', name: 'x', uid: 'job-uid' }];
  return {
    metadata: { uid: 'pod-uid', ownerReferences, ...metadata },
    spec: { nodeName: 'n1', containers: [] },
    status,
  };
}
const conditions = (type: string, status: string, message: string) => ({ conditions: [{ type, status, message }] });

describe('a Job', () => {
  test('without a pod is waiting for one', () => {
    const others = pod({ phase: 'Running' }, { ownerReferences: [] });
    expect(jobStatusOf(job(), [others])).toEqual({ kind: 'waiting', why: '', isHopeless: false, uid: 'job-uid' });
  });

  test('with a running pod is running, whatever the conditions were before', () => {
    expect(jobStatusOf(job(), [pod({ phase: 'Running', ...conditions('PodScheduled', 'True', '') })])).toEqual({
      kind: 'running',
    });
  });

  test('whose pod is being evicted is leaving its node', () => {
    const leaving = pod({ phase: 'Running' }, { deletionTimestamp: '2026-01-01T00:00:00Z' });
    expect(jobStatusOf(job(), [leaving])).toEqual({ kind: 'leaving', node: 'n1' });
  });

  test('is over when its pod is, before its controller notices', () => {
    expect(jobStatusOf(job(), [pod({ phase: 'Succeeded' })])).toEqual({ kind: 'over', reason: null });
  });

  test('is over when its condition says so, even if its pod is gone', () => {
    expect(jobStatusOf(job([{ type: 'Complete', status: 'True' }]), [])).toEqual({ kind: 'over', reason: null });
    const late = { type: 'Failed', status: 'True', reason: 'DeadlineExceeded', message: 'Job was active too long' };
    expect(jobStatusOf(job([late]), [])).toMatchObject({ reason: expect.stringMatching(/exceeded its deadline/) });
  });

  test('that is about to fail is not over: its pod may still upload results', () => {
    expect(jobStatusOf(job([{ type: 'FailureTarget', status: 'True' }]), [pod({ phase: 'Running' })])).toEqual({
      kind: 'running',
    });
  });

  test('has the status of its newest pod', () => {
    const old = pod({ phase: 'Failed' }, { creationTimestamp: '2026-01-01T00:00:00Z' });
    const young = pod({ phase: 'Running' }, { creationTimestamp: '2026-01-01T00:01:00Z' });
    expect(jobStatusOf(job(), [old, young])).toEqual({ kind: 'running' });
  });

  test('shows a message of the cluster in one line', () => {
    const standing = jobStatusOf(job(), [
      pod({ phase: 'Pending', ...conditions('PodScheduled', 'False', 'a\n\u001b b') }),
    ]);
    expect(standing).toMatchObject({ why: 'No node of the cluster accepts the pod: a b' });
  });
});

describe('a pod that failed', () => {
  test.each([
    [{ reason: 'NodeShutdown', message: 'Pod was terminated in response to imminent node shutdown.' }, /node shutdown/],
    [{}, /ended without a reason \(exit code unknown\): see kubectl logs job\/lockkeeper-plan-1/],
    [conditions('DisruptionTarget', 'True', 'Taint manager: deleting'), /was evicted from its node: Taint manager/],
  ])('has a reason', (status, reason) => {
    const standing = jobStatusOf(job(), [pod({ phase: 'Failed', ...status })]);
    expect(standing).toEqual({ kind: 'over', reason: expect.stringMatching(reason) });
  });
});
