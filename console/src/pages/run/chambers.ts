import type { Chamber, Level } from '../../components/canal/Canal.tsx';
import { wordOf } from '../../components/state/run-status.ts';
import { clock, secondsSince, short } from '../../format/time.ts';

/** What of a run its way is drawn from. */
export interface Way {
  readonly status: string;
  readonly createdAt: string;
  readonly isPlanOnly: boolean;
  /** Of its plan and its apply: `started-at`, `finished-at`. */
  readonly plan: Times;
  readonly apply: Times;
  readonly confirmedAt: string | undefined;
  readonly confirmedBy: string | undefined;
  /** When it came to its end. */
  readonly endedAt: string | undefined;
  readonly waitingFor: string | null;
  readonly position: number;
}

type Times = Readonly<Record<string, string>>;

const PLANNING = ['planning', 'cost_estimating', 'policy_checking', 'post_plan_running'];
const WAITING = [
  ...['planned', 'cost_estimated', 'policy_checked', 'policy_override', 'policy_soft_failed', 'tf_policy_override'],
  ...['tf_policy_checked', 'post_plan_completed', 'post_plan_awaiting_decision', 'planned_and_saved'],
];
const BEFORE_APPLY = ['confirmed', 'queuing_apply', 'apply_queued', 'pre_apply_running', 'pre_apply_completed'];
const APPLYING = ['applying', 'post_apply_running', 'post_apply_completed'];
const STOPPED = ['discarded', 'canceled', 'force_canceled'];

/** Where in its way a run is, from 0 on. */
function placeOf({ status, plan, apply, confirmedAt }: Way): number {
  if (status === 'applied') return 5;
  if (PLANNING.includes(status)) return 1;
  if (WAITING.includes(status)) return 2;
  if (BEFORE_APPLY.includes(status) || APPLYING.includes(status)) return 3;
  if (!STOPPED.includes(status) && status !== 'errored') return 0;
  if (apply['started-at'] || confirmedAt) return 3;
  return plan['finished-at'] ? 2 : plan['started-at'] ? 1 : 0;
}

/** The way of a run, chamber by chamber. */
export function chambersOf(way: Way, now: number): readonly Chamber[] {
  const { status } = way;
  const place = status === 'planned_and_finished' ? 5 : placeOf(way);
  const isFailed = status === 'errored';
  const isStopped = STOPPED.includes(status);
  const level = (at: number): Level => {
    if (at < place) return 'passed';
    if (at > place) return 'ahead';
    if (isFailed) return 'failed';
    if (isStopped) return 'stopped';
    return at === 2 ? 'shut' : 'here';
  };
  const end = (at: number, word: string) => (at === place && (isFailed || isStopped) ? wordOf(status) : word);
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  const say = (at: number, word: string) => capital(end(at, word));
  const first = [
    { id: 'queued', label: say(0, 'queued'), note: queuedNote(way, place, now), level: level(0) },
    {
      id: 'plan',
      label: say(1, tense(place, 1, 'plan', 'planning', 'planned')),
      note: phaseNote(way.plan, now),
      level: level(1),
    },
  ];
  if (way.isPlanOnly || status === 'planned_and_finished') {
    const isDone = status === 'planned_and_finished';
    return [
      ...first,
      {
        id: 'end',
        label: 'Finished',
        note: isDone ? timeOf(way.endedAt, now) : '',
        level: isDone ? 'passed' : 'ahead',
      },
    ];
  }
  return [
    ...first,
    {
      id: 'confirm',
      label: say(2, place > 2 ? 'confirmed' : 'confirm'),
      note: confirmNote(way, place, now),
      level: level(2),
    },
    {
      id: 'apply',
      label: say(3, tense(place, 3, 'apply', applyWord(status), 'applied')),
      note: phaseNote(way.apply, now),
      level: level(3),
    },
    {
      id: 'end',
      label: 'Done',
      note: status === 'applied' ? timeOf(way.endedAt, now) : '',
      level: status === 'applied' ? 'passed' : 'ahead',
    },
  ];
}

const applyWord = (status: string): string => (BEFORE_APPLY.includes(status) ? 'apply queued' : 'applying');
const tense = (place: number, at: number, ahead: string, here: string, passed: string): string =>
  place === at ? here : place > at ? passed : ahead;
const timeOf = (time: string | undefined, now: number): string => (time === undefined ? '' : clock(time, now));
const between = (from: string, to: string): string => short(secondsSince(from, Date.parse(to)));

function queuedNote({ createdAt, plan, waitingFor, position, endedAt }: Way, place: number, now: number): string {
  const begun = plan['started-at'];
  if (begun) return `${clock(createdAt, now)}, waited ${between(createdAt, begun)}`;
  if (place > 0 || endedAt) return clock(createdAt, now);
  if (waitingFor) return waitingFor;
  return position > 0 ? `place ${position} in the queue` : clock(createdAt, now);
}

function phaseNote(times: Times, now: number): string {
  const begun = times['started-at'];
  if (begun === undefined) return '';
  const end = times['finished-at'] ?? times['errored-at'] ?? times['canceled-at'];
  if (end === undefined) return `for ${short(secondsSince(begun, now))}`;
  return `${clock(begun, now)}, took ${between(begun, end)}`;
}

function confirmNote({ status, plan, confirmedAt, confirmedBy, endedAt }: Way, place: number, now: number): string {
  if (confirmedAt) return `${clock(confirmedAt, now)}${confirmedBy ? ` by ${confirmedBy}` : ''}`;
  if (place !== 2) return '';
  if (endedAt) return clock(endedAt, now);
  const since = plan['finished-at'];
  const wait = since ? `, ${short(secondsSince(since, now))}` : '';
  return status === 'planned_and_saved' ? `saved${wait}` : `waits for a person${wait}`;
}
