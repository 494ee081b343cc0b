import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { counted } from '../../format/number.ts';
import { exact } from '../../format/time.ts';
import { Button } from '../button/Button.tsx';
import { QueryResult } from '../page-states/QueryResult.tsx';
import { Section } from '../section/Section.tsx';
import { State } from '../state/State.tsx';
import { Table } from '../table/Table.tsx';
import { Ago } from '../time/Time.tsx';
import { OutcomesDialog } from './OutcomesDialog.tsx';
import { ScheduleActions } from './ScheduleActions.tsx';
import { ScheduleDialog } from './ScheduleDialog.tsx';
import { LISTS, type Schedule, type ScheduleOwner, SIGNS } from './schedule.ts';
import { startsBetween } from './starts-between.ts';
import * as texts from './texts.ts';

const EVERY_MS = 10_000;

interface SchedulesProps {
  readonly owner: ScheduleOwner;
  readonly mayChange: boolean;
}

type Opened = { readonly dialog: 'new' } | { readonly dialog: 'change' | 'outcomes'; readonly schedule: Schedule };

/** Schedules of a project; or those that act in a workspace, with the inherited ones. */
export function Schedules({ owner, mayChange }: SchedulesProps) {
  const [open, setOpen] = useState<Opened | undefined>();
  const list = useQuery({ ...listOf(owner), refetchInterval: EVERY_MS });
  const close = () => setOpen(undefined);
  return (
    <Section
      title={texts.schedules}
      end={
        mayChange && (
          <Button look="small" onClick={() => setOpen({ dialog: 'new' })}>
            {texts.newScheduleAction}
          </Button>
        )
      }
    >
      <QueryResult query={list} what={texts.schedules}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">{owner.kind === 'workspace' ? texts.noneOfWorkspace : texts.noneOfProject}</p>
          ) : (
            <Table
              label={texts.schedules}
              flush
              twoLines
              items={data}
              keyOf={(one) => one.id}
              columns={[
                {
                  id: 'name',
                  head: texts.name,
                  isName: true,
                  cell: ({ attributes }) => (
                    <>
                      <bdi>{attributes.name}</bdi>
                      {attributes.inherited && <span className="soft"> {texts.ofProject}</span>}
                    </>
                  ),
                },
                { id: 'next', head: texts.nextTime, cell: (one) => <Next of={one} /> },
                {
                  id: 'last',
                  head: texts.lastOutcome,
                  cell: (one) => <Last of={one} isOfProject={owner.kind === 'project'} />,
                },
                {
                  id: 'what',
                  head: texts.operation,
                  className: 'soft',
                  cell: ({ attributes }) => attributes.operation,
                },
                {
                  id: 'times',
                  head: texts.times,
                  className: 'soft',
                  cell: ({ attributes }) => (
                    <>
                      <code>{attributes.cron}</code> {attributes['time-zone']}
                    </>
                  ),
                },
                {
                  id: 'do',
                  head: texts.actions,
                  hideHead: true,
                  isNumber: true,
                  cell: (schedule) => (
                    <ScheduleActions
                      schedule={schedule}
                      owner={owner}
                      mayChange={mayChange}
                      onOutcomes={() => setOpen({ dialog: 'outcomes', schedule })}
                      onChange={() => setOpen({ dialog: 'change', schedule })}
                    />
                  ),
                },
              ]}
            />
          )
        }
      </QueryResult>
      {open?.dialog === 'new' && <ScheduleDialog owner={owner} onClose={close} />}
      {open?.dialog === 'change' && <ScheduleDialog owner={owner} schedule={open.schedule} onClose={close} />}
      {open?.dialog === 'outcomes' && <OutcomesDialog owner={owner} schedule={open.schedule} onClose={close} />}
    </Section>
  );
}

/** A workspace and its project have at most 40 schedules, so one page contains all. */
function listOf({ kind, id }: ScheduleOwner) {
  const query = { 'page[size]': '100' };
  if (kind === 'project') return workspaces.query(LISTS.project, { path: { project_id: id }, query });
  return workspaces.query(LISTS.workspace, { path: { workspace_id: id }, query });
}

function Next({ of: { attributes } }: { readonly of: Schedule }) {
  if (attributes.paused) return <span className="soft">{texts.paused}</span>;
  if (attributes.excluded) return <span className="soft">{texts.excluded}</span>;
  const [next, ...others] = attributes['next-times'];
  if (next === undefined) return <span className="soft">{texts.never}</span>;
  const { delay, jitter } = attributes;
  const show = (time: string) => (delay === null ? startsBetween(time, jitter) : exact(time));
  return <span title={others.map(show).join('\n')}>{show(next)}</span>;
}

function Last({ of: { attributes }, isOfProject }: { readonly of: Schedule; readonly isOfProject: boolean }) {
  const { 'last-outcome': last, 'last-time': time, 'waiting-count': waiting } = attributes;
  if (waiting > 0 && isOfProject) return texts.waiting(counted(waiting, texts.workspace));
  const at = last?.['scheduled-at'] ?? time;
  if (at === null) return <span className="soft">{texts.nothingYet}</span>;
  const { icon, is, word } = SIGNS[last?.status ?? 'started'];
  return (
    <span title={last?.reason ?? ''}>
      {last !== null && (
        <State icon={icon} is={is}>
          {word}
        </State>
      )}{' '}
      <Ago time={at} /> {texts.ago}
    </span>
  );
}
