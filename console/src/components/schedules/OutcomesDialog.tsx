import { useQuery } from '@tanstack/react-query';
import { workspaces } from '../../api/client.ts';
import { exact } from '../../format/time.ts';
import { Button } from '../button/Button.tsx';
import { Dialog } from '../dialog/Dialog.tsx';
import { QueryResult } from '../page-states/QueryResult.tsx';
import { RunState, State } from '../state/State.tsx';
import { Table } from '../table/Table.tsx';
import { type Outcome, type Schedule, type ScheduleOwner, SIGNS } from './schedule.ts';
import * as texts from './texts.ts';

interface OutcomesDialogProps {
  readonly owner: ScheduleOwner;
  readonly schedule: Schedule;
  readonly onClose: () => void;
}

/** Last outcomes of a schedule: in one workspace, or in all workspaces of a project. */
export function OutcomesDialog({ owner, schedule, onClose }: OutcomesDialogProps) {
  const inOne = owner.kind === 'workspace' ? { 'filter[workspace][id]': owner.id } : {};
  const list = useQuery(
    workspaces.query('GET /schedules/{schedule_id}/outcomes', {
      path: { schedule_id: schedule.id },
      query: { ...inOne, 'page[size]': '30' },
    }),
  );
  return (
    <Dialog wide title={texts.outcomesOf(schedule.attributes.name)} onClose={onClose}>
      <QueryResult query={list} what={texts.outcomes}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">{texts.noOutcomes}</p>
          ) : (
            <Table
              label={texts.outcomes}
              flush
              twoLines
              items={data}
              keyOf={(one) => one.id}
              columns={[
                {
                  id: 'time',
                  head: texts.time,
                  isName: true,
                  cell: ({ attributes }) => exact(attributes['scheduled-at']),
                },
                { id: 'outcome', head: texts.outcome, cell: (one) => <Result of={one} /> },
                {
                  id: 'workspace',
                  head: texts.workspaceHead,
                  cell: ({ attributes }) => <bdi>{attributes['workspace-name']}</bdi>,
                },
                {
                  id: 'reason',
                  head: texts.reason,
                  className: 'soft',
                  cell: ({ attributes, relationships }) => attributes.reason ?? relationships.run.data?.id ?? '',
                },
              ]}
            />
          )
        }
      </QueryResult>
      <Button onClick={onClose}>{texts.close}</Button>
    </Dialog>
  );
}

/** Status of the run, or why there is none. */
function Result({ of: { attributes } }: { readonly of: Outcome }) {
  const { status, 'run-status': runStatus } = attributes;
  if (runStatus !== null) return <RunState status={runStatus} />;
  const { icon, is, word } = SIGNS[status];
  return (
    <State icon={icon} is={is}>
      {word}
    </State>
  );
}
