import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Resources, workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { stagesInWords } from '../../components/run-tasks/Judges.tsx';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { NotForYou, usePart } from './part.tsx';
import { RunTaskDialog } from './RunTaskDialog.tsx';
import styles from './run-tasks.module.css';

const LIST = 'GET /organizations/{organization_name}/tasks';

export type RunTask = Resources['tasks'];

/** Services that are asked about runs. */
export function RunTasks() {
  const { organization, path, may } = usePart(
    'Run tasks',
    (name) => workspaces.request(LIST, { path: { organization_name: name } }),
    (name) => `lockkeeper api GET organizations/${name}/tasks`,
  );
  const mayRead = may?.['can-read-run-tasks'] ?? false;
  const mayChange = may?.['can-manage-run-tasks'] ?? false;
  const [open, setOpen] = useState<RunTask | 'new' | undefined>();
  // There are 100 at most.
  const tasks = useQuery({ ...workspaces.query(LIST, { path, query: { 'page[size]': '100' } }), enabled: mayRead });
  if (may && !mayRead) return <NotForYou needs="can-read-run-tasks" />;
  return (
    <Section
      title="Run tasks"
      end={
        mayChange && (
          <Button look="small" onClick={() => setOpen('new')}>
            New run task…
          </Button>
        )
      }
    >
      <p className="soft">
        Services that are asked about runs: of the workspaces that they are attached to, or of all.
      </p>
      <Answered query={tasks} what="Run tasks">
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">There is none.</p>
          ) : (
            <Table
              label="Run tasks"
              flush
              twoLines
              items={data}
              keyOf={({ id }) => id}
              columns={[
                { id: 'name', head: 'Name', isName: true, cell: ({ attributes }) => <bdi>{attributes.name}</bdi> },
                { id: 'state', head: 'State', cell: ({ attributes }) => (attributes.enabled ? 'enabled' : 'off') },
                { id: 'judges', head: 'Judges', className: 'soft', cell: judges },
                {
                  id: 'to',
                  head: 'Asks',
                  className: 'soft',
                  cell: ({ attributes: { url } }) => (URL.canParse(url) ? new URL(url).host : url),
                },
                {
                  id: 'do',
                  head: 'What can be done',
                  hideHead: true,
                  isNumber: true,
                  cell: (task) => mayChange && <Actions of={task} onChange={() => setOpen(task)} />,
                },
              ]}
            />
          )
        }
      </Answered>
      {open && (
        <RunTaskDialog
          organization={organization}
          {...(open !== 'new' && { task: open })}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Section>
  );
}

function judges({ attributes }: RunTask): string {
  const { enabled, stages, 'enforcement-level': level } = attributes['global-configuration'];
  return enabled ? `all workspaces: ${stagesInWords(stages)}, ${level}` : 'those that it is attached to';
}

function Actions({ of: { id, attributes }, onChange }: { readonly of: RunTask; readonly onChange: () => void }) {
  return (
    <span className={styles.does}>
      <Button look="small" aria-label={`Change ${attributes.name}…`} onClick={onChange}>
        Change…
      </Button>
      <Destroy
        verb="Delete"
        what={`run task ${attributes.name}`}
        name={attributes.name}
        isRow
        run={() => workspaces.send('DELETE /tasks/{task_id}', { path: { task_id: id } })}
      >
        <p>Workspaces have it no more. Where a run still waits for it, it counts as failed.</p>
      </Destroy>
    </span>
  );
}
