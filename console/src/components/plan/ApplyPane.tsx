import { type ReactNode, useRef, useState } from 'react';
import { type Change, countsOf, type Operation } from '../../../../src/lib/plan/plan.ts';
import { count } from '../../format/number.ts';
import { Button } from '../button/Button.tsx';
import { Icon } from '../icon/Icon.tsx';
import type { ReadLog } from '../log/use-log.ts';
import { State } from '../state/State.tsx';
import { OPERATIONS } from './operations.ts';
import styles from './plan.module.css';
import { ApplyProgress, type Progress } from './progress.ts';
import * as texts from './texts.ts';
import { usePlan } from './use-plan.ts';

/** Resources shown at first, and added by each click. */
const PART = 200;

interface ApplyPaneProps {
  readonly planId: string | undefined;
  readonly applyId: string;
  readonly read: ReadLog;
  /** How the apply ended; undefined while it runs. After `broken`, resources without a result were not applied. */
  readonly ended: 'finished' | 'broken' | undefined;
  /** Shown if the log reports no resources. */
  readonly words: ReactNode;
}

/** Progress of an apply for each resource, from the plan and the log. */
export function ApplyPane({ planId, applyId, read, ended, words }: ApplyPaneProps) {
  const plan = usePlan(planId, true).data;
  const progress = useProgress(applyId, read);
  const [most, setMost] = useState(PART);
  const planned = (plan?.is === 'plan' ? plan.plan.resources : []).filter(({ operation }) => operation !== 'read');
  const others = [...progress].filter(([address]) => !planned.some((one) => one.address === address));
  const rows = [
    ...planned.map(({ address, operation }) => ({ address, operation, at: progress.get(address) })),
    ...others.map(([address, at]) => ({ address, operation: at.operation, at })),
  ];
  const more = rows.length - most;
  return (
    <section className={styles.pane} aria-label={texts.apply}>
      <div className={styles.head}>
        <h2>{texts.apply}</h2>
        <span className={styles.done}>
          {countsOf(planned).map(([operation, number]) => (
            <Done key={operation} {...{ operation, number, planned, progress, ended }} />
          ))}
        </span>
      </div>
      {rows.length === 0 ? (
        <div className={styles.words}>{words}</div>
      ) : (
        <ul className={styles.plan} aria-label={texts.resources}>
          {rows.slice(0, most).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an address can appear twice
            <li key={`${row.address} ${index}`} className={styles.step}>
              <Row {...row} ended={ended} />
            </li>
          ))}
        </ul>
      )}
      {more > 0 && (
        <p className={styles.rest}>
          <Button look="small" onClick={() => setMost(most + PART)}>
            {texts.showMoreOf(count(Math.min(PART, more)), count(more))}
          </Button>
        </p>
      )}
    </section>
  );
}

/** Continues parsing as lines arrive. */
function useProgress(applyId: string, { log }: ReadLog): ReadonlyMap<string, Progress> {
  const kept = useRef<{ readonly id: string; readonly log: ReadLog['log']; readonly progress: ApplyProgress }>(
    undefined,
  );
  if (kept.current?.log !== log) kept.current = { id: applyId, log, progress: new ApplyProgress() };
  kept.current.progress.next(log);
  return kept.current.progress.of;
}

const WORDS: Readonly<Record<string, readonly [running: string, done: string]>> = {
  add: [texts.adding, texts.added],
  change: [texts.changing, texts.changed],
  replace: [texts.replacing, texts.replaced],
  destroy: [texts.destroying, texts.destroyed],
};

interface DoneProps {
  readonly operation: Operation;
  readonly number: number;
  readonly planned: readonly Change[];
  readonly progress: ReadonlyMap<string, Progress>;
  readonly ended: ApplyPaneProps['ended'];
}

function Done({ operation, number, planned, progress, ended }: DoneProps) {
  const words = WORDS[operation];
  if (!words) return null;
  const { icon, is } = OPERATIONS[operation];
  const done = planned.filter(
    (one) => one.operation === operation && (ended === 'finished' || isDone(operation, progress.get(one.address))),
  );
  return (
    <span className={styles[is]}>
      <Icon name={icon} is={is} />
      {texts.doneOf(count(done.length), count(number), words[1])}
    </span>
  );
}

/** A replacement is done when the new resource exists, unless it was created before the old one was destroyed. */
function isDone(operation: Operation, at: Progress | undefined): boolean {
  return at?.state === 'done' && (operation !== 'replace' || at.operation !== 'destroy');
}

interface RowProps {
  readonly address: string;
  readonly operation: Operation;
  readonly at: Progress | undefined;
  readonly ended: ApplyPaneProps['ended'];
}

function Row({ address, operation, at, ended }: RowProps) {
  const [running = texts.working, done = texts.done] = WORDS[operation] ?? [];
  const [icon, is, word] = signOf(at?.state, ended, running, done);
  return (
    <>
      <State icon={icon} is={is} turns={icon === 'run'}>
        <code title={address}>{address}</code>
      </State>
      <span className="soft">{word}</span>
      <span className="soft num">{at?.took}</span>
    </>
  );
}

function signOf(state: Progress['state'] | undefined, ended: ApplyPaneProps['ended'], running: string, done: string) {
  if (state === 'failed') return ['err', 'bad', texts.failed] as const;
  if (state === 'done' || ended === 'finished') return ['ok', 'good', done] as const;
  if (ended === 'broken')
    return state ? (['err', 'bad', texts.interrupted] as const) : (['slash', 'idle', texts.notApplied] as const);
  return state ? (['run', 'run', running] as const) : (['queued', 'idle', texts.waiting] as const);
}
