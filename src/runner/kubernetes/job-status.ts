import type { Job } from 'kubernetes-types/batch/v1.d.ts';
import type { ContainerStatus, Pod } from 'kubernetes-types/core/v1.d.ts';
import { inOneLine } from './api/failures.ts';

/** How it stands with a Job, by what the cluster shows of it. */
export type JobStatus =
  | {
      /** Its pod does not run yet. */
      readonly kind: 'waiting';
      /** In words for people; empty where nothing is known. */
      readonly why: string;
      /** It will never run. */
      readonly isHopeless: boolean;
      /** Of whom the cluster may have said more, in its events. */
      readonly uid: string;
    }
  | { readonly kind: 'running' }
  /** It is being taken off its node. */
  | { readonly kind: 'leaving'; readonly node: string }
  /** `reason` is null where the pod has reported how it ended; else why it may not have. */
  | { readonly kind: 'over'; readonly reason: string | null };

const OVER: JobStatus = { kind: 'over', reason: null };
const over = (reason: string): JobStatus => ({ kind: 'over', reason: inOneLine(reason) });
const UNPULLABLE = ['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull', 'ImageInspectError'];
const HOPELESS = ['InvalidImageName', 'ErrImageNeverPull'];
/** A container that nothing is wrong with yet. */
const ON_THE_WAY = ['ContainerCreating', 'PodInitializing'];

/** @param pods of whichever Job */
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
  if (reason !== '' && !ON_THE_WAY.includes(reason)) return `The container cannot be started: ${message || reason}`;
  const unscheduled = pod.status?.conditions?.find(({ type, status }) => type === 'PodScheduled' && status === 'False');
  return unscheduled === undefined ? '' : `No node of the cluster takes the pod: ${unscheduled.message}`;
}

function whyFailed(pod: Pod, job: Job): string {
  const { reason = '', message = '' } = pod.status ?? {};
  if (reason === 'Evicted') return `The pod was evicted from its node: ${message}`;
  const disruption = pod.status?.conditions?.find(
    ({ type, status }) => type === 'DisruptionTarget' && status === 'True',
  );
  if (disruption !== undefined) return `The pod was taken off its node: ${disruption.message ?? disruption.reason}`;
  const ended = containerOf(pod)?.state?.terminated;
  if (ended?.reason === 'OOMKilled') {
    const limit = pod.spec?.containers[0]?.resources?.limits?.memory;
    return `The pod used more memory than it may${limit === undefined ? '' : ` (${limit})`}, and was killed`;
  }
  if (reason !== '') return `The pod failed: ${message || reason}`;
  if (ended?.message) return `The container could not be run: ${ended.message}`;
  return `The pod ended with ${ended?.exitCode ?? 'no code'}, and did not say why: see kubectl logs job/${job.metadata?.name}`;
}

function whyJobFailed(reason = '', message = ''): string {
  if (reason === 'DeadlineExceeded') return 'The Kubernetes Job took longer than it may, and was ended';
  return `The Kubernetes Job failed: ${message || reason}`;
}

const containerOf = ({ status }: Pod): ContainerStatus | undefined => status?.containerStatuses?.[0];
