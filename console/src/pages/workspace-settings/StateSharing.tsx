import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import { Select } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { WorkspaceDialog } from '../../components/workspace-dialog/WorkspaceDialog.tsx';
import { More } from './More.tsx';
import { type PartProps, partOf } from './part.tsx';
import { Remove } from './Remove.tsx';
import * as texts from './texts.ts';

const AT = '/workspaces/{workspace_id}/relationships/remote-state-consumers';
type Scope = 'named' | 'project' | 'organization';

const SCOPES: readonly (readonly [Scope, string])[] = [
  ['named', texts.selectedWorkspaces],
  ['project', texts.allWorkspacesOfTheProject],
  ['organization', texts.allWorkspacesOfTheOrganization],
];

/** Workspaces whose runs have permission to read the state and its outputs. */
export const StateSharing = partOf(Shows, {
  label: texts.stateSharing,
  request: (id) => workspaces.request(`GET ${AT}`, { path: { workspace_id: id } }),
  command: (id) => `lockkeeper api GET workspaces/${id}/relationships/remote-state-consumers`,
});

function Shows({ organization, workspace }: PartProps) {
  const { attributes } = workspace;
  const scope: Scope = attributes['global-remote-state']
    ? 'organization'
    : attributes['project-remote-state']
      ? 'project'
      : 'named';
  const mayChange = attributes.permissions['can-update'];
  return (
    <Section title={texts.stateSharing}>
      <p>{texts.runsOfCanRead(SCOPES.find(([one]) => one === scope)?.[1])}</p>
      {mayChange && <ScopeForm key={scope} workspace={workspace.id} before={scope} />}
      {scope === 'named' && <Consumers organization={organization} workspace={workspace} mayChange={mayChange} />}
    </Section>
  );
}

function ScopeForm({ workspace, before }: { readonly workspace: string; readonly before: Scope }) {
  const [scope, setScope] = useState<string>(before);
  const save = useChange(
    () =>
      workspaces.send('PATCH /workspaces/{workspace_id}', {
        path: { workspace_id: workspace },
        body: {
          data: {
            type: 'workspaces',
            attributes: {
              'global-remote-state': scope === 'organization',
              'project-remote-state': scope === 'project',
            },
          },
        },
      }),
    () => announce(texts.saved2),
  );
  return (
    <Form
      action={texts.save}
      isPrimary={false}
      busy={save.isPending}
      fault={save.error}
      off={scope === before && texts.noChanges}
      onSubmit={() => save.mutate()}
    >
      <Select
        name="global-remote-state"
        label={texts.readableBy}
        help={texts.readersGetTheWhole}
        value={scope}
        options={SCOPES}
        onText={setScope}
      />
    </Form>
  );
}

function Consumers({
  organization,
  workspace: { id, attributes },
  mayChange,
}: PartProps & { readonly mayChange: boolean }) {
  const [isAdding, setAdding] = useState(false);
  const list = useQuery(workspaces.query(`GET ${AT}`, { path: { workspace_id: id }, query: { 'page[size]': '100' } }));
  return (
    <Section
      title={texts.selectedWorkspaces2}
      end={
        mayChange && (
          <Button look="small" onClick={() => setAdding(true)}>
            {texts.addWorkspace}
          </Button>
        )
      }
    >
      <QueryResult query={list} what={texts.workspacesWithAccessTo}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <p className="soft">{texts.noWorkspacesThatYou}</p>
          ) : (
            <>
              <Table
                label={texts.workspacesWithAccessTo}
                flush
                twoLines
                items={data}
                keyOf={(one) => one.id}
                columns={[
                  {
                    id: 'name',
                    head: texts.workspace2,
                    isName: true,
                    cell: ({ attributes: { name } }) => (
                      <Link to="/$organization/workspaces/$workspace" params={{ organization, workspace: name }}>
                        <bdi>{name}</bdi>
                      </Link>
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
                          name={one.attributes.name}
                          run={() =>
                            workspaces.send(`DELETE ${AT}`, {
                              path: { workspace_id: id },
                              body: { data: [{ type: 'workspaces', id: one.id }] },
                            })
                          }
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
      {isAdding && (
        <WorkspaceDialog
          organization={organization}
          title={texts.grantAWorkspaceAccess(attributes.name)}
          action={texts.addWorkspace2}
          run={(consumer) =>
            workspaces.send(`POST ${AT}`, {
              path: { workspace_id: id },
              body: { data: [{ type: 'workspaces', id: consumer }] },
            })
          }
          onClose={() => setAdding(false)}
        />
      )}
    </Section>
  );
}
