import { type ReactNode, useSyncExternalStore } from 'react';
import { ADD_CHIP, Chips } from '../../components/chip/Chip.tsx';
import { Log } from '../../components/log/Log.tsx';
import { type ReadLog, useLog } from '../../components/log/use-log.ts';
import { ApplyPane } from '../../components/plan/ApplyPane.tsx';
import { PlanPane } from '../../components/plan/PlanPane.tsx';
import { counted } from '../../format/number.ts';
import { clock } from '../../format/time.ts';
import styles from './run.module.css';
import type { RunSearch } from './search.ts';
import * as texts from './texts.ts';
import { hasBegun, hasEnded, type Phase, planOf, type RunAnswer } from './use-run.ts';

/** Below this width only one of the two panes fits. */
const NARROW = '(max-width: 1180px)';

interface HalvesProps {
  readonly answer: RunAnswer;
  readonly phase: Phase;
  readonly search: RunSearch;
  readonly onSearch: (change: Partial<Record<keyof RunSearch, unknown>>) => void;
  readonly line: number | undefined;
  readonly onLine: (line: number | undefined) => void;
}

/** Plan of a run: changed resources and log. */
export function PlanHalves(props: HalvesProps) {
  const { phase, search, onSearch } = props;
  const read = usePhaseLog(phase);
  const isMade = phase.attributes.status === 'finished';
  const words = <p>{summaryOf(phase)}</p>;
  const resources = (
    <PlanPane
      planId={phase.id}
      isMade={isMade}
      title={texts.plan}
      filter={search}
      onFilter={onSearch}
      before={<NotYet phase={phase} />}
      words={words}
    />
  );
  return <Halves {...props} read={read} resources={resources} label={texts.logOfThePlan} showsLog={!isMade} />;
}

/** Apply of a run: progress and log. */
export function ApplyHalves(props: HalvesProps) {
  const { phase, answer } = props;
  const read = usePhaseLog(phase);
  const resources = (
    <ApplyPane
      planId={planOf(answer)?.id}
      applyId={phase.id}
      read={read}
      ended={hasEnded(phase) ? (phase.attributes.status === 'finished' ? 'finished' : 'broken') : undefined}
      words={hasBegun(phase) ? <p>{summaryOf(phase)}</p> : <NotYet phase={phase} />}
    />
  );
  return <Halves {...props} read={read} resources={resources} label={texts.logOfTheApply} showsLog />;
}

interface BothProps extends HalvesProps {
  readonly read: ReadLog;
  readonly resources: ReactNode;
  readonly label: string;
  /** Whether a narrow page shows the log by default. */
  readonly showsLog: boolean;
}

function Halves({ answer, phase, search, onSearch, line, onLine, read, resources, label, showsLog }: BothProps) {
  const isNarrow = useMedia(NARROW);
  const shown = search.show ?? (showsLog || line !== undefined ? 'log' : 'resources');
  const { 'status-timestamps': times, status } = phase.attributes;
  const end = times['finished-at'] ?? times['errored-at'] ?? times['canceled-at'];
  const log = (
    <Log
      id={phase.id}
      read={read}
      label={label}
      file={`${answer.data.id}-${phase.type === 'plans' ? 'plan' : 'apply'}.log`}
      isRunning={!hasEnded(phase)}
      startsAtEnd={status === 'errored'}
      line={line}
      onLine={onLine}
      note={end && <>{texts.ended(clock(end))}</>}
    />
  );
  if (!isNarrow) {
    return (
      <div className={styles.halves}>
        {resources}
        <div className={styles.beside}>{log}</div>
      </div>
    );
  }
  const chip = (what: 'resources' | 'log', text: string) => (
    <button type="button" className={ADD_CHIP} aria-pressed={shown === what} onClick={() => onSearch({ show: what })}>
      {text}
    </button>
  );
  return (
    <div className={styles.one}>
      <div className={styles.which}>
        <Chips label={texts.view}>
          {chip('resources', texts.resources2)}
          {chip('log', texts.log)}
        </Chips>
      </div>
      {shown === 'log' ? log : resources}
    </div>
  );
}

/** Reads the log from the page's own origin: the URL in the API names another host if the server has several names. */
function usePhaseLog(phase: Phase): ReadLog {
  const address = new URL(phase.attributes['log-read-url'], location.origin).pathname;
  return useLog({ id: phase.id, address, hasBegun: hasBegun(phase) });
}

function NotYet({ phase: { attributes } }: { readonly phase: Phase }) {
  const words: Readonly<Record<string, string>> = {
    pending: texts.waitingInTheQueue2,
    queued: texts.waitingForAnAgent,
    running: texts.inProgressTheChanges,
    errored: texts.failedTheLogShows,
    canceled: texts.canceled,
    unreachable: texts.notStarted,
  };
  return <p className="soft">{words[attributes.status] ?? attributes.status}</p>;
}

/** Summary of a phase: `3 to add, 2 to change, 1 to destroy.` */
function summaryOf({ type, attributes }: Phase): string {
  const words =
    type === 'plans'
      ? [texts.toAdd, texts.toChange, texts.toDestroy, texts.toImport]
      : [texts.added, texts.changed, texts.destroyed, texts.imported];
  const counts = [
    attributes['resource-additions'],
    attributes['resource-changes'],
    attributes['resource-destructions'],
    attributes['resource-imports'],
  ];
  const told = counts.flatMap((number, at) => (number > 0 ? [`${counted(number, 'resource')} ${words[at]}`] : []));
  return told.length === 0 ? texts.noResourceCounts : `${told.join(', ')}.`;
}

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    () => matchMedia(query).matches,
  );
}
