import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { announce } from '../copy/announce.ts';
import { AskDialog } from '../dialog/Dialog.tsx';
import { Field, Select } from '../form/Field.tsx';
import { OPERATIONS, type Schedule, type ScheduleOwner, WHEN_BUSY } from './schedule.ts';
import { startsBetween } from './starts-between.ts';
import * as texts from './texts.ts';

interface ScheduleDialogProps {
  readonly owner: ScheduleOwner;
  /** Undefined for a new schedule. */
  readonly schedule?: Schedule;
  readonly onClose: () => void;
}

type Attributes = Schedule['attributes'];

/** Names of the browser's time zones. The server knows more of them. */
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** Form for a schedule, with its next times. */
export function ScheduleDialog({ owner, schedule, onClose }: ScheduleDialogProps) {
  const before = schedule?.attributes;
  const [name, setName] = useState(before?.name ?? '');
  const [operation, setOperation] = useState<string>(before?.operation ?? 'plan');
  const [cron, setCron] = useState(before?.cron ?? '');
  const [zone, setZone] = useState(before?.['time-zone'] ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [jitter, setJitter] = useState(String(before?.jitter ?? 0));
  const [whenBusy, setWhenBusy] = useState<string>(before?.['when-busy'] ?? 'skip');
  const save = useChange(
    () => {
      const attributes = {
        ...{ name, cron, jitter: Number(jitter), 'time-zone': zone },
        operation: operation as Attributes['operation'],
        'when-busy': whenBusy as Attributes['when-busy'],
      };
      return store(owner, schedule, attributes);
    },
    () => {
      announce(texts.saved(name));
      onClose();
    },
  );
  return (
    <AskDialog
      wide
      title={schedule ? texts.changeTitle(schedule.attributes.name) : texts.newSchedule}
      action={schedule ? texts.save : texts.createSchedule}
      off={(name === '' || cron === '') && texts.enterNameAndTimes}
      busy={save.isPending}
      fault={save.error}
      onAction={() => save.mutate()}
      onClose={onClose}
    >
      <Field name="name" label={texts.name} value={name} onText={setName} autoFocus autoComplete="off" />
      <Select name="operation" label={texts.operation} value={operation} options={OPERATIONS} onText={setOperation} />
      <Field
        name="cron"
        label={texts.cron}
        help={texts.cronHelp}
        value={cron}
        onText={setCron}
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        name="time-zone"
        label={texts.timeZone}
        value={zone}
        suggestions={ZONES}
        onText={setZone}
        autoComplete="off"
        spellCheck={false}
      />
      <NextTimes cron={cron} zone={zone} jitter={Number(jitter) || 0} />
      <Field
        name="jitter"
        label={texts.jitter}
        help={texts.jitterHelp}
        inputMode="numeric"
        value={jitter}
        onText={setJitter}
      />
      <Select name="when-busy" label={texts.whenBusy} value={whenBusy} options={WHEN_BUSY} onText={setWhenBusy} />
    </AskDialog>
  );
}

type Settings = Pick<Attributes, 'name' | 'operation' | 'cron' | 'time-zone' | 'jitter' | 'when-busy'>;

function store(owner: ScheduleOwner, schedule: Schedule | undefined, attributes: Settings): Promise<unknown> {
  const body = { data: { type: 'schedules' as const, attributes } };
  if (schedule) return workspaces.send('PATCH /schedules/{schedule_id}', { path: { schedule_id: schedule.id }, body });
  return owner.kind === 'project'
    ? workspaces.send('POST /projects/{project_id}/schedules', { path: { project_id: owner.id }, body })
    : workspaces.send('POST /workspaces/{workspace_id}/schedules', { path: { workspace_id: owner.id }, body });
}

/** Next times of the expression as the user types it, or the server's reason why it has none. */
function NextTimes({ cron, zone, jitter }: { readonly cron: string; readonly zone: string; readonly jitter: number }) {
  const preview = useQuery({
    ...workspaces.query('GET /schedules/preview', { query: { cron, 'time-zone': zone } }),
    enabled: cron.trim().split(/\s+/).length === 5,
    retry: false,
    placeholderData: keepPreviousData,
  });
  const times = preview.isError ? [] : (preview.data?.data.attributes['next-times'] ?? []);
  return (
    <div aria-live="polite">
      <strong>{texts.nextTimes}</strong>
      {times.length === 0 ? (
        <p className="soft">{preview.error?.message ?? texts.nextTimesHelp}</p>
      ) : (
        <ul>
          {times.map((time) => (
            <li key={time}>{startsBetween(time, jitter)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
