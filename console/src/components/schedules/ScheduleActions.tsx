import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { Button } from '../button/Button.tsx';
import { announce } from '../copy/announce.ts';
import { Destroy } from '../destroy/Destroy.tsx';
import type { Schedule, ScheduleOwner } from './schedule.ts';
import styles from './schedules.module.css';
import * as texts from './texts.ts';

interface ScheduleActionsProps {
  readonly schedule: Schedule;
  readonly owner: ScheduleOwner;
  readonly mayChange: boolean;
  readonly onOutcomes: () => void;
  readonly onChange: () => void;
}

/** Actions on a schedule. A workspace only excludes itself from a schedule of its project. */
export function ScheduleActions({ schedule, owner, mayChange, onOutcomes, onChange }: ScheduleActionsProps) {
  const { name, inherited } = schedule.attributes;
  return (
    <span className={styles.does}>
      <Button look="small" aria-label={texts.outcomesOf(name)} onClick={onOutcomes}>
        {texts.outcomes}
      </Button>
      {mayChange && inherited && <Exclusion schedule={schedule} workspace={owner.id} />}
      {mayChange && !inherited && <OwnActions schedule={schedule} onChange={onChange} />}
    </span>
  );
}

function OwnActions({ schedule, onChange }: Pick<ScheduleActionsProps, 'schedule' | 'onChange'>) {
  const path = { schedule_id: schedule.id };
  const { name, paused } = schedule.attributes;
  const pause = useChange(
    () =>
      workspaces.send('PATCH /schedules/{schedule_id}', {
        path,
        body: { data: { type: 'schedules', attributes: { paused: !paused } } },
      }),
    () => announce(paused ? texts.resumedNow(name) : texts.pausedNow(name)),
  );
  return (
    <>
      <Button
        look="small"
        aria-label={paused ? texts.resumeOne(name) : texts.pauseOne(name)}
        onClick={() => pause.mutate()}
      >
        {paused ? texts.resume : texts.pause}
      </Button>
      {pause.error && <span role="alert">{pause.error.message}</span>}
      <Button look="small" aria-label={texts.changeOne(name)} onClick={onChange}>
        {texts.change}
      </Button>
      <Destroy
        verb={texts.deleteText}
        what={texts.scheduleNamed(name)}
        isRow
        run={() => workspaces.send('DELETE /schedules/{schedule_id}', { path })}
      >
        <p>{texts.deletionHelp}</p>
      </Destroy>
    </>
  );
}

function Exclusion({ schedule, workspace }: { readonly schedule: Schedule; readonly workspace: string }) {
  const { name, excluded } = schedule.attributes;
  const change = useChange(
    () => {
      const input = {
        path: { schedule_id: schedule.id },
        body: { data: [{ type: 'workspaces' as const, id: workspace }] },
      };
      return excluded
        ? workspaces.send('DELETE /schedules/{schedule_id}/relationships/excluded-workspaces', input)
        : workspaces.send('POST /schedules/{schedule_id}/relationships/excluded-workspaces', input);
    },
    () => announce(excluded ? texts.includedNow(name) : texts.excludedNow(name)),
  );
  return (
    <>
      <Button
        look="small"
        aria-label={excluded ? texts.includeOne(name) : texts.excludeOne(name)}
        onClick={() => change.mutate()}
      >
        {excluded ? texts.include : texts.exclude}
      </Button>
      {change.error && <span role="alert">{change.error.message}</span>}
    </>
  );
}
