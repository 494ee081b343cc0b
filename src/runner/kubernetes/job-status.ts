import type { Job } from 'kubernetes-types/batch/v1.d.ts';
import type { ContainerStatus, Pod } from 'kubernetes-types/core/v1.d.ts';
import { inOneLine } from './api/failures.ts';

/** Status of a Kubernetes Job, derived from the Job and its pod. */
export type JobStatus =
  | {
      /** The pod does not run yet. */
      readonly kind: 'waiting';
      /** Reason in plain words; empty if unknown. */
      readonly why: string;
      /** Whether the pod can never run. */
      readonly isHopeless: boolean;
      /** Object whose events may have a reason. */
      readonly uid: string;
    }
  | { readonly kind: 'running' }
  /** The pod is being evicted from its node. */
  | { readonly kind: 'leaving'; readonly node: string }
  /** `reason` is null if the pod has reported its end; otherwise it says why the pod may not have reported. */
  | { readonly kind: 'over'; readonly reason: string | null };

const OVER: JobStatus = { kind: 'over', reason: null };
const over = (reason: string): JobStatus => ({ kind: 'over', reason: inOneLine(reason) });
const UNPULLABLE = ['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull', 'ImageInspectError'];
const HOPELESS = ['InvalidImageName', 'ErrImageNeverPull'];
/** Reasons of a container that starts normally. */
const ON_THE_WAY = ['ContainerCreating', 'PodInitializing'];

/**
 * Derives the status of a Job.
 * @param pods pods of any Jobs
 */
export function jobStatusOf(job: Job, pods: readonly Pod[]): JobStatus {
  const pod = newest(pods.filter((one) => isOf(one, job)));
  if (isTrue(job.status?.conditions, 'Complete') || pod?.status?.phase === 'Succeeded') return OVER;
  if (pod?.status?.phase === 'Failed') return over(whyFailed(pod, job));
  const failed = job.status?.conditions?.find(({ type, status }) => type === 'Failed' && status === 'True');
  if (failed !== undefined) return over(whyJobFailed(failed.reason, failed.message));
  if (pod?.metadata?.deletionTimestamp !== undefined) return { kind: 'leaving', node: pod.spec?.nodeName ?? '' };
  if (pod === undefined) return { kind: 'waiting', why: '', isHopeless: false, uid: job.metadata?.uid ?? '' };
  return pod.status?.phase === 'Running' ? { kind: 'running' } : waiting(pod);
}

const isOf = ({ metadata }: Pod, job: Job): boolean =>
  metadata?.ownerReferences?.some(({ uid }) => uid === job.metadata?.uid) === true;

const newest = (pods: readonly Pod[]): Pod | undefined => pods.toSorted((a, b) => made(b).localeCompare(made(a)))[0];
const made = ({ metadata }: Pod): string => metadata?.creationTimestamp ?? '';

function isTrue(conditions: readonly { type: string; status: string }[] | undefined, wanted: string): boolean {
  return conditions?.some(({ type, status }) => type === wanted && status === 'True') === true;
}

function waiting(pod: Pod): JobStatus {
  const reason = containerOf(pod)?.state?.waiting?.reason ?? '';
  const uid = pod.metadata?.uid ?? '';
  return { kind: 'waiting', why: inOneLine(whyWaiting(pod)), isHopeless: HOPELESS.includes(reason), uid };
}

function whyWaiting(pod: Pod): string {
  const { reason = '', message = '' } = containerOf(pod)?.state?.waiting ?? {};
  if (UNPULLABLE.includes(reason)) {
    return `The image ${pod.spec?.containers[0]?.image} cannot be pulled: ${message || reason}`;
  }
  if (reason !== '' && !ON_THE_WAY.includes(reason)) return `The container cannot start: ${message || reason}`;
  const unscheduled = pod.status?.conditions?.find(({ type, status }) => type === 'PodScheduled' && status === 'False');
  return unscheduled === undefined ? '' : `No node of the cluster accepts the pod: ${unscheduled.message}`;
}

function whyFailed(pod: Pod, job: Job): string {
  const { reason = '', message = '' } = pod.status ?? {};
  if (reason === 'Evicted') return `The pod was evicted from its node: ${message}`;
  const disruption = pod.status?.conditions?.find(
    ({ type, status }) => type === 'DisruptionTarget' && status === 'True',
  );
  if (disruption !== undefined) return `The pod was evicted from its node: ${disruption.message ?? disruption.reason}`;
  const ended = containerOf(pod)?.state?.terminated;
  if (ended?.reason === 'OOMKilled') {
    const limit = pod.spec?.containers[0]?.resources?.limits?.memory;
    return `The pod exceeded its memory limit${limit === undefined ? '' : ` (${limit})`} and was killed`;
  }
  if (reason !== '') return `The pod failed: ${message || reason}`;
  if (ended?.message) return `The container could not start: ${ended.message}`;
  return `The pod ended without a reason (exit code ${ended?.exitCode ?? 'unknown'}): see kubectl logs job/${job.metadata?.name}`;
}

function whyJobFailed(reason = '', message = ''): string {
  if (reason === 'DeadlineExceeded') return 'The Kubernetes Job exceeded its deadline and was stopped';
  return `The Kubernetes Job failed: ${message || reason}`;
}

const containerOf = ({ status }: Pod): ContainerStatus | undefined => status?.containerStatuses?.[0];
