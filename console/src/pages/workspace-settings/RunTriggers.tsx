import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Check } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { WorkspaceDialog } from '../../components/workspace-dialog/WorkspaceDialog.tsx';
import { More } from './More.tsx';
import { type PartProps, partOf } from './part.tsx';
import { Remove } from './Remove.tsx';
import * as texts from './texts.ts';

const LIST = 'GET /workspaces/{workspace_id}/run-triggers';

type RunTrigger = Resources['run-triggers'];

/** Run triggers: workspaces whose runs start runs here, and workspaces in which runs here start runs. */
export const RunTriggers = partOf(Shows, {
  label: texts.runTriggers,
  request: (id) =>
    workspaces.request(LIST, { path: { workspace_id: id }, query: { 'filter[run-trigger][type]': 'inbound' } }),
  command: (id) => `lockkeeper api GET 'workspaces/${id}/run-triggers?filter[run-trigger][type]=inbound'`,
});

function Shows({ organization, workspace }: PartProps) {
  const [isAdding, setAdding] = useState(false);
  const { id, attributes } = workspace;
  const mayChange = attributes.permissions['can-update'];
  return (
    <>
      <Section
        title={texts.sourceWorkspaces}
        end={
          mayChange && (
            <Button look="small" onClick={() => setAdding(true)}>
              {texts.addWorkspace}
            </Button>
          )
        }
      >
        <Triggers organization={organization} workspace={id} type="inbound" mayChange={mayChange} />
        {mayChange && <AutoApply workspace={workspace} />}
      </Section>
      <Section title={texts.triggeredWorkspaces}>
        <Triggers organization={organization} workspace={id} type="outbound" mayChange={false} />
      </Section>
      {isAdding && (
        <WorkspaceDialog
          organization={organization}
          title={texts.runAfterTheRuns(attributes.name)}
          action={texts.addWorkspace2}
          run={(source) =>
            workspaces.send('POST /workspaces/{workspace_id}/run-triggers', {
              path: { workspace_id: id },
              body: { data: { relationships: { sourceable: { data: { type: 'workspaces', id: source } } } } },
            })
          }
          onClose={() => setAdding(false)}
        >
          <p>{texts.eachAppliedRunOf}</p>
        </WorkspaceDialog>
      )}
    </>
  );
}

interface TriggersProps {
  readonly organization: string;
  readonly workspace: string;
  readonly type: 'inbound' | 'outbound';
  readonly mayChange: boolean;
}

function Triggers({ organization, workspace, type, mayChange }: TriggersProps) {
  const list = useQuery(
    workspaces.query(LIST, {
      path: { workspace_id: workspace },
      query: { 'page[size]': '100', 'filter[run-trigger][type]': type },
    }),
  );
  const nameOf = ({ attributes }: RunTrigger) =>
    type === 'inbound' ? attributes['sourceable-name'] : attributes['workspace-name'];
  return (
    <QueryResult query={list} what={texts.runTriggers}>
      {({ data, meta }) =>
        data.length === 0 ? (
          <p className="soft">{texts.noRunTriggers}</p>
        ) : (
          <>
            <Table
              label={type === 'inbound' ? texts.workspacesWhoseRunsStart : texts.workspacesInWhichRuns}
              flush
              twoLines
              items={data}
              keyOf={(one) => one.id}
              columns={[
                {
                  id: 'name',
                  head: texts.workspace2,
                  isName: true,
                  cell: (one) => (
                    <Link to="/$organization/workspaces/$workspace" params={{ organization, workspace: nameOf(one) }}>
                      <bdi>{nameOf(one)}</bdi>
                    </Link>
                  ),
                },
                {
                  id: 'since',
                  head: texts.created,
                  className: 'soft',
                  cell: ({ attributes }) => (
                    <>
                      <Ago time={attributes['created-at']} /> {texts.ago}
                    </>
                  ),
                },
                {
                  id: 'do',
                  head: texts.actions,
                  hideHead: true,
                  isNumber: true,
                  cell: (one) =>
                    mayChange && (
                      <Remove
                        name={nameOf(one)}
                        run={() => workspaces.send('DELETE /run-triggers/{id}', { path: { id: one.id } })}
                      />
                    ),
                },
              ]}
            />
            <More shown={data.length} total={meta.pagination['total-count']} />
          </>
        )
      }
    </QueryResult>
  );
}

function AutoApply({ workspace: { id, attributes } }: { readonly workspace: Resources['workspaces'] }) {
  const before = attributes['auto-apply-run-trigger'];
  const [autoApply, setAutoApply] = useState(before);
  const save = useChange(() =>
    workspaces.send('PATCH /workspaces/{workspace_id}', {
      path: { workspace_id: id },
      body: { data: { type: 'workspaces', attributes: { 'auto-apply-run-trigger': autoApply } } },
    }),
  );
  return (
    <Form
      action={texts.save}
      isPrimary={false}
      busy={save.isPending}
      fault={save.error}
      off={autoApply === before && texts.noChanges}
      done={save.isSuccess && autoApply === before && texts.saved2}
      onSubmit={() => save.mutate()}
    >
      <Check
        name="auto-apply-run-trigger"
        label={texts.autoApplyTriggeredRuns}
        help={texts.plansThatSucceedAre}
        checked={autoApply}
        onCheck={setAutoApply}
      />
    </Form>
  );
}
