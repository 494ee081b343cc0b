import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Select } from '../../components/form/Field.tsx';
import { type Judgement, Judges, stagesInWords } from '../../components/run-tasks/Judges.tsx';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { type PartProps, partOf } from './part.tsx';
import styles from './settings.module.css';

const LIST = 'GET /workspaces/{workspace_id}/tasks';
const ONE = '/workspaces/{workspace_id}/tasks/{workspace_task_id}';

type Task = Resources['tasks'];
type WorkspaceTask = Resources['workspace-tasks'];

/** Who judges its runs: those that are attached to it, and those of all workspaces. */
export const RunTasks = partOf(Shows, {
  label: 'Run tasks',
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
        title="Run tasks"
        end={
          mayChange && (
            <Button look="small" onClick={() => setOpen('new')}>
              Attach task…
            </Button>
          )
        }
      >
        <Answered query={attached} what="Run tasks">
          {({ data }) =>
            data.length === 0 ? (
              <p className="soft">None is attached to this workspace.</p>
            ) : (
              <Table
                label="Run tasks of the workspace"
                flush
                twoLines
                items={data}
                keyOf={(one) => one.id}
                columns={[
                  { id: 'name', head: 'Name', isName: true, cell: (one) => <bdi>{nameOf(one)}</bdi> },
                  {
                    id: 'level',
                    head: 'Level',
                    cell: (one) => (
                      <>
                        {one.attributes['enforcement-level']}
                        {taskOf(one)?.attributes.enabled === false && ', switched off'}
                      </>
                    ),
                  },
                  {
                    id: 'stages',
                    head: 'Stages',
                    className: 'soft',
                    cell: (one) => stagesInWords(one.attributes.stages),
                  },
                  {
                    id: 'do',
                    head: 'What can be done',
                    hideHead: true,
                    isNumber: true,
                    cell: (one) =>
                      mayChange && <Actions workspace={id} of={one} name={nameOf(one)} onChange={() => setOpen(one)} />,
                  },
                ]}
              />
            )
          }
        </Answered>
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

/** Those that judge each workspace of the organization. */
function OfAll({ tasks }: { readonly tasks: readonly Task[] }) {
  const ofAll = tasks.filter(({ attributes }) => attributes.enabled && attributes['global-configuration'].enabled);
  if (ofAll.length === 0) return null;
  return (
    <Section title="Of all workspaces">
      <Table
        label="Run tasks of all workspaces"
        flush
        twoLines
        items={ofAll}
        keyOf={(one) => one.id}
        columns={[
          { id: 'name', head: 'Name', isName: true, cell: ({ attributes }) => <bdi>{attributes.name}</bdi> },
          {
            id: 'level',
            head: 'Level',
            cell: ({ attributes }) => attributes['global-configuration']['enforcement-level'],
          },
          {
            id: 'stages',
            head: 'Stages',
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
      <Button look="small" aria-label={`Change ${name}…`} onClick={onChange}>
        Change…
      </Button>
      <Destroy
        verb="Detach"
        what={`task ${name}`}
        isRow
        run={() => workspaces.send(`DELETE ${ONE}`, { path: { workspace_id: workspace, workspace_task_id: of.id } })}
      >
        <p>Runs that are made from then on are not judged by it. Those that there are still are.</p>
      </Destroy>
    </span>
  );
}

interface TaskDialogProps {
  readonly workspace: string;
  /** Undefined to attach another. */
  readonly attached?: WorkspaceTask;
  readonly name?: string;
  /** Those that can be attached. */
  readonly tasks: readonly Task[];
  readonly onClose: () => void;
}

function TaskDialog({ workspace, attached, name, tasks, onClose }: TaskDialogProps) {
  const [chosen, setChosen] = useState('');
  const [judgement, setJudgement] = useState<Judgement>(
    attached?.attributes ?? { stages: ['post_plan'], 'enforcement-level': 'advisory' },
  );
  const task = chosen || (tasks[0]?.id ?? '');
  const { stages, 'enforcement-level': level } = judgement;
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
      title={attached ? `Change ${name}` : 'Attach a run task'}
      action={attached ? 'Save' : 'Attach task'}
      off={
        (!attached && task === '' && 'There is no other task that you see') ||
        (stages.length === 0 && 'It needs a stage')
      }
      busy={save.isPending}
      fault={save.error}
      onAction={() => save.mutate()}
      onClose={onClose}
    >
      {!attached &&
        (tasks.length === 0 ? (
          <p>There is no other run task that you see: they are made in the settings of the organization.</p>
        ) : (
          <Select
            label="Task"
            value={task}
            options={tasks.map(({ id, attributes: { name: label } }) => [id, label] as const)}
            onText={setChosen}
          />
        ))}
      <Judges value={judgement} onChange={setJudgement} />
    </AskDialog>
  );
}
