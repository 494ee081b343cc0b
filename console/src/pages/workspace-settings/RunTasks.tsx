import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Select } from '../../components/form/Field.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { type Evaluation, EvaluationSettings, stagesInWords } from '../../components/run-tasks/EvaluationSettings.tsx';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { type PartProps, partOf } from './part.tsx';
import styles from './settings.module.css';
import * as texts from './texts.ts';

const LIST = 'GET /workspaces/{workspace_id}/tasks';
const ONE = '/workspaces/{workspace_id}/tasks/{workspace_task_id}';

type Task = Resources['tasks'];
type WorkspaceTask = Resources['workspace-tasks'];

/** Run tasks that evaluate runs of the workspace: its own, and those of all workspaces. */
export const RunTasks = partOf(Shows, {
  label: texts.runTasks,
  request: (id) => workspaces.request(LIST, { path: { workspace_id: id } }),
  command: (id) => `lockkeeper api GET workspaces/${id}/tasks`,
});

function Shows({ organization, workspace: { id, attributes } }: PartProps) {
  const [open, setOpen] = useState<WorkspaceTask | 'new' | undefined>();
  const query = { 'page[size]': '100' };
  const attached = useQuery(workspaces.query(LIST, { path: { workspace_id: id }, query }));
  const known = useQuery(
    workspaces.query('GET /organizations/{organization_name}/tasks', {
      path: { organization_name: organization },
      query,
    }),
  );
  const tasks = known.data?.data ?? [];
  const taskOf = (one: WorkspaceTask) => tasks.find(({ id: task }) => task === one.relationships.task.data?.id);
  const nameOf = (one: WorkspaceTask) => taskOf(one)?.attributes.name ?? one.relationships.task.data?.id ?? '';
  const mayChange = attributes.permissions['can-manage-run-tasks'];
  return (
    <>
      <Section
        title={texts.runTasks}
        end={
          mayChange && (
            <Button look="small" onClick={() => setOpen('new')}>
              {texts.attachTask}
            </Button>
          )
        }
      >
        <QueryResult query={attached} what={texts.runTasks}>
          {({ data }) =>
            data.length === 0 ? (
              <p className="soft">{texts.noRunTasksYet}</p>
            ) : (
              <Table
                label={texts.runTasksOfTheWorkspace}
                flush
                twoLines
                items={data}
                keyOf={(one) => one.id}
                columns={[
                  { id: 'name', head: texts.name, isName: true, cell: (one) => <bdi>{nameOf(one)}</bdi> },
                  {
                    id: 'level',
                    head: texts.enforcementLevel,
                    cell: (one) => (
                      <>
                        {one.attributes['enforcement-level']}
                        {taskOf(one)?.attributes.enabled === false && texts.disabled2}
                      </>
                    ),
                  },
                  {
                    id: 'stages',
                    head: texts.stages,
                    className: 'soft',
                    cell: (one) => stagesInWords(one.attributes.stages),
                  },
                  {
                    id: 'do',
                    head: texts.actions,
                    hideHead: true,
                    isNumber: true,
                    cell: (one) =>
                      mayChange && <Actions workspace={id} of={one} name={nameOf(one)} onChange={() => setOpen(one)} />,
                  },
                ]}
              />
            )
          }
        </QueryResult>
      </Section>
      <OfAll tasks={tasks} />
      {open && (
        <TaskDialog
          workspace={id}
          {...(open !== 'new' && { attached: open, name: nameOf(open) })}
          tasks={tasks.filter(
            (task) => !attached.data?.data.some((one) => one.relationships.task.data?.id === task.id),
          )}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

/** Run tasks that evaluate the runs of every workspace of the organization. */
function OfAll({ tasks }: { readonly tasks: readonly Task[] }) {
  const ofAll = tasks.filter(({ attributes }) => attributes.enabled && attributes['global-configuration'].enabled);
  if (ofAll.length === 0) return null;
  return (
    <Section title={texts.globalRunTasks}>
      <Table
        label={texts.runTasksOfAllWorkspaces}
        flush
        twoLines
        items={ofAll}
        keyOf={(one) => one.id}
        columns={[
          { id: 'name', head: texts.name, isName: true, cell: ({ attributes }) => <bdi>{attributes.name}</bdi> },
          {
            id: 'level',
            head: texts.enforcementLevel,
            cell: ({ attributes }) => attributes['global-configuration']['enforcement-level'],
          },
          {
            id: 'stages',
            head: texts.stages,
            className: 'soft',
            cell: ({ attributes }) => stagesInWords(attributes['global-configuration'].stages),
          },
        ]}
      />
    </Section>
  );
}

interface ActionsProps {
  readonly workspace: string;
  readonly of: WorkspaceTask;
  readonly name: string;
  readonly onChange: () => void;
}

function Actions({ workspace, of, name, onChange }: ActionsProps) {
  return (
    <span className={styles.does}>
      <Button look="small" aria-label={texts.change2(name)} onClick={onChange}>
        {texts.change3}
      </Button>
      <Destroy
        verb={texts.detach}
        what={texts.task(name)}
        isRow
        run={() => workspaces.send(`DELETE ${ONE}`, { path: { workspace_id: workspace, workspace_task_id: of.id } })}
      >
        <p>{texts.runsThatAreCreated}</p>
      </Destroy>
    </span>
  );
}

interface TaskDialogProps {
  readonly workspace: string;
  /** Undefined for a new attachment. */
  readonly attached?: WorkspaceTask;
  readonly name?: string;
  /** Run tasks that can be attached. */
  readonly tasks: readonly Task[];
  readonly onClose: () => void;
}

function TaskDialog({ workspace, attached, name, tasks, onClose }: TaskDialogProps) {
  const [chosen, setChosen] = useState('');
  const [evaluation, setEvaluation] = useState<Evaluation>(
    attached?.attributes ?? { stages: ['post_plan'], 'enforcement-level': 'advisory' },
  );
  const task = chosen || (tasks[0]?.id ?? '');
  const { stages, 'enforcement-level': level } = evaluation;
  const attributes = { stages, 'enforcement-level': level };
  const save = useChange((): Promise<unknown> => {
    if (attached) {
      return workspaces.send(`PATCH ${ONE}`, {
        path: { workspace_id: workspace, workspace_task_id: attached.id },
        body: { data: { type: 'workspace-tasks', attributes } },
      });
    }
    return workspaces.send('POST /workspaces/{workspace_id}/tasks', {
      path: { workspace_id: workspace },
      body: { data: { type: 'workspace-tasks', attributes, relationships: { task: { data: { id: task } } } } },
    });
  }, onClose);
  return (
    <AskDialog
      title={attached ? texts.change(name) : texts.attachRunTask}
      action={attached ? texts.save : texts.attachTask2}
      off={(!attached && task === '' && texts.youCanSeeNo) || (stages.length === 0 && texts.selectAStage)}
      busy={save.isPending}
      fault={save.error}
      onAction={() => save.mutate()}
      onClose={onClose}
    >
      {!attached &&
        (tasks.length === 0 ? (
          <p>{texts.youCanSeeNo2}</p>
        ) : (
          <Select
            label={texts.runTask}
            value={task}
            options={tasks.map(({ id, attributes: { name: label } }) => [id, label] as const)}
            onText={setChosen}
          />
        ))}
      <EvaluationSettings value={evaluation} onChange={setEvaluation} />
    </AskDialog>
  );
}
