import type { Chamber, Level } from '../../components/canal/Canal.tsx';
import { wordOf } from '../../components/state/run-status.ts';
import { clock, secondsSince, short } from '../../format/time.ts';
import * as texts from './texts.ts';

/** Data from which the progress of a run is drawn. */
export interface Way {
  readonly status: string;
  readonly createdAt: string;
  readonly isPlanOnly: boolean;
  /** Timestamps of the plan and the apply: `started-at`, `finished-at`. */
  readonly plan: Times;
  readonly apply: Times;
  readonly confirmedAt: string | undefined;
  readonly confirmedBy: string | undefined;
  /** Time at which the run ended. */
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

/** Index of the current stage, from 0. */
function placeOf({ status, plan, apply, confirmedAt }: Way): number {
  if (status === 'applied') return 5;
  if (PLANNING.includes(status)) return 1;
  if (WAITING.includes(status)) return 2;
  if (BEFORE_APPLY.includes(status) || APPLYING.includes(status)) return 3;
  if (!STOPPED.includes(status) && status !== 'errored') return 0;
  if (apply['started-at'] || confirmedAt) return 3;
  return plan['finished-at'] ? 2 : plan['started-at'] ? 1 : 0;
}

/** Stages of a run with their states and notes. */
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
    { id: 'queued', label: say(0, texts.queued), note: queuedNote(way, place, now), level: level(0) },
    {
      id: 'plan',
      label: say(1, tense(place, 1, texts.plan2, texts.planning, texts.planned)),
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
        label: texts.finished,
        note: isDone ? timeOf(way.endedAt, now) : '',
        level: isDone ? 'passed' : 'ahead',
      },
    ];
  }
  return [
    ...first,
    {
      id: 'confirm',
      label: say(2, place > 2 ? texts.confirmed2 : texts.confirm),
      note: confirmNote(way, place, now),
      level: level(2),
    },
    {
      id: 'apply',
      label: say(3, tense(place, 3, texts.apply2, applyWord(status), texts.applied)),
      note: phaseNote(way.apply, now),
      level: level(3),
    },
    {
      id: 'end',
      label: texts.done,
      note: status === 'applied' ? timeOf(way.endedAt, now) : '',
      level: status === 'applied' ? 'passed' : 'ahead',
    },
  ];
}

const applyWord = (status: string): string => (BEFORE_APPLY.includes(status) ? texts.applyQueued : texts.applying2);
const tense = (place: number, at: number, ahead: string, here: string, passed: string): string =>
  place === at ? here : place > at ? passed : ahead;
const timeOf = (time: string | undefined, now: number): string => (time === undefined ? '' : clock(time, now));
const between = (from: string, to: string): string => short(secondsSince(from, Date.parse(to)));

function queuedNote({ createdAt, plan, waitingFor, position, endedAt }: Way, place: number, now: number): string {
  const begun = plan['started-at'];
  if (begun) return texts.waited(clock(createdAt, now), between(createdAt, begun));
  if (place > 0 || endedAt) return clock(createdAt, now);
  if (waitingFor) return waitingFor;
  return position > 0 ? texts.positionInTheQueue(position) : clock(createdAt, now);
}

function phaseNote(times: Times, now: number): string {
  const begun = times['started-at'];
  if (begun === undefined) return '';
  const end = times['finished-at'] ?? times['errored-at'] ?? times['canceled-at'];
  if (end === undefined) return texts.forText(short(secondsSince(begun, now)));
  return texts.took(clock(begun, now), between(begun, end));
}

function confirmNote({ status, plan, confirmedAt, confirmedBy, endedAt }: Way, place: number, now: number): string {
  if (confirmedAt) return `${clock(confirmedAt, now)}${confirmedBy ? texts.by2(confirmedBy) : ''}`;
  if (place !== 2) return '';
  if (endedAt) return clock(endedAt, now);
  const since = plan['finished-at'];
  const wait = since ? `, ${short(secondsSince(since, now))}` : '';
  return status === 'planned_and_saved' ? texts.saved(wait) : texts.waitingForConfirmation(wait);
}
