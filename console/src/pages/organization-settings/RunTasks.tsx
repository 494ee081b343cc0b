import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Resources, workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { stagesInWords } from '../../components/run-tasks/EvaluationSettings.tsx';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { NotForYou, usePart } from './part.tsx';
import { RunTaskDialog } from './RunTaskDialog.tsx';
import styles from './run-tasks.module.css';
import * as texts from './texts.ts';

const LIST = 'GET /organizations/{organization_name}/tasks';

export type RunTask = Resources['tasks'];

/** Run tasks of an organization. */
export function RunTasks() {
  const { organization, path, may } = usePart(
    texts.runTasks,
    (name) => workspaces.request(LIST, { path: { organization_name: name } }),
    (name) => `lockkeeper api GET organizations/${name}/tasks`,
  );
  const mayRead = may?.['can-read-run-tasks'] ?? false;
  const mayChange = may?.['can-manage-run-tasks'] ?? false;
  const [open, setOpen] = useState<RunTask | 'new' | undefined>();
  // The API allows at most 100 run tasks.
  const tasks = useQuery({ ...workspaces.query(LIST, { path, query: { 'page[size]': '100' } }), enabled: mayRead });
  if (may && !mayRead) return <NotForYou needs="can-read-run-tasks" />;
  return (
    <Section
      title={texts.runTasks}
      end={
        mayChange && (
          <Button look="small" onClick={() => setOpen('new')}>
            {texts.newRunTask2}
          </Button>
        )
      }
    >
      <p className="soft">{texts.aRunTaskSends}</p>
      <QueryResult query={tasks} what={texts.runTasks}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">{texts.noRunTasksYet}</p>
          ) : (
            <Table
              label={texts.runTasks}
              flush
              twoLines
              items={data}
              keyOf={({ id }) => id}
              columns={[
                { id: 'name', head: texts.name, isName: true, cell: ({ attributes }) => <bdi>{attributes.name}</bdi> },
                {
                  id: 'state',
                  head: texts.state,
                  cell: ({ attributes }) => (attributes.enabled ? texts.enabled2 : texts.disabled),
                },
                { id: 'evaluationOf', head: texts.evaluates, className: 'soft', cell: evaluationOf },
                {
                  id: 'to',
                  head: texts.host,
                  className: 'soft',
                  cell: ({ attributes: { url } }) => (URL.canParse(url) ? new URL(url).host : url),
                },
                {
                  id: 'do',
                  head: texts.actions,
                  hideHead: true,
                  isNumber: true,
                  cell: (task) => mayChange && <Actions of={task} onChange={() => setOpen(task)} />,
                },
              ]}
            />
          )
        }
      </QueryResult>
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

function evaluationOf({ attributes }: RunTask): string {
  const { enabled, stages, 'enforcement-level': level } = attributes['global-configuration'];
  return enabled ? texts.allWorkspaces(stagesInWords(stages), level) : texts.attachedWorkspaces;
}

function Actions({ of: { id, attributes }, onChange }: { readonly of: RunTask; readonly onChange: () => void }) {
  return (
    <span className={styles.does}>
      <Button look="small" aria-label={texts.change(attributes.name)} onClick={onChange}>
        {texts.change2}
      </Button>
      <Destroy
        verb={texts.deleteText}
        what={texts.runTask(attributes.name)}
        name={attributes.name}
        isRow
        run={() => workspaces.send('DELETE /tasks/{task_id}', { path: { task_id: id } })}
      >
        <p>{texts.theTaskIsRemoved}</p>
      </Destroy>
    </span>
  );
}
