import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Tags } from '../../components/chip/Chip.tsx';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Select } from '../../components/form/Field.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Section, Split } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { usePlace } from '../../shell/page.ts';
import * as texts from './texts.ts';
import { useProject } from './use-project.ts';

const LIST = 'GET /organizations/{organization_name}/workspaces';
/** Number of workspaces shown here; the workspace list shows all. */
const MOST = 50;

/** Workspaces of a project, with an action that moves others here. */
export function ProjectWorkspaces() {
  const { organization, id, query, crumbs } = useProject();
  const input = {
    path: { organization_name: organization },
    query: { 'filter[project][id]': id, 'page[size]': String(MOST) },
  };
  usePlace(crumbs);
  usePathLine({
    request: workspaces.request(LIST, input),
    command: `lockkeeper workspace list ${organization} --project ${id}`,
  });
  const list = useQuery(workspaces.query(LIST, input));
  const [isMoving, setMoving] = useState(false);
  const may = query.data?.data.attributes.permissions;
  const canMove = may?.['can-move-workspace'] && may['can-create-workspace'];
  return (
    <Split
      aside={
        <>
          <ProjectTags id={id} />
          {may?.['can-read-varsets'] && <ProjectVarsets id={id} />}
        </>
      }
    >
      <Section
        title={texts.workspaces}
        end={
          <>
            <Link className="link" to="/$organization/workspaces" params={{ organization }} search={{ project: id }}>
              {texts.showInWorkspaceList}
            </Link>
            {canMove && (
              <Button look="small" onClick={() => setMoving(true)}>
                {texts.moveWorkspaceHere}
              </Button>
            )}
          </>
        }
      >
        <QueryResult query={list} what={texts.workspaces}>
          {({ data }) =>
            data.length === 0 ? (
              <p className="soft">{texts.noWorkspacesThatYou}</p>
            ) : (
              <Table
                label={texts.workspacesOfTheProject}
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
                      <Link
                        to="/$organization/workspaces/$workspace"
                        params={{ organization, workspace: attributes.name }}
                      >
                        <bdi>{attributes.name}</bdi>
                      </Link>
                    ),
                  },
                  {
                    id: 'mode',
                    head: texts.execution,
                    className: 'soft',
                    cell: ({ attributes }) => attributes['execution-mode'],
                  },
                  {
                    id: 'tags',
                    head: texts.tags,
                    cell: ({ attributes }) => <Tags names={attributes['tag-names']} most={3} />,
                  },
                ]}
              />
            )
          }
        </QueryResult>
      </Section>
      {isMoving && <MoveDialog organization={organization} id={id} onClose={() => setMoving(false)} />}
    </Split>
  );
}

function ProjectTags({ id }: { readonly id: string }) {
  const tags = useQuery(workspaces.query('GET /projects/{project_id}/tag-bindings', { path: { project_id: id } }));
  const names = (tags.data?.data ?? []).map(({ attributes: { key, value } }) => (value ? `${key}:${value}` : key));
  return (
    <section>
      <h2>{texts.tags}</h2>
      {names.length === 0 ? <p className="soft">{texts.noTagsWorkspacesInherit}</p> : <Tags names={names} />}
    </section>
  );
}

function ProjectVarsets({ id }: { readonly id: string }) {
  const sets = useQuery(
    workspaces.query('GET /projects/{project_id}/varsets', {
      path: { project_id: id },
      query: { 'page[size]': '100' },
    }),
  );
  const all = sets.data?.data ?? [];
  return (
    <section>
      <h2>{texts.variableSets}</h2>
      {all.length === 0 ? (
        <p className="soft">{texts.noVariableSetsAre}</p>
      ) : (
        <ul>
          {all.map((set) => (
            <li key={set.id}>
              <bdi>{set.attributes.name}</bdi>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface MoveProps {
  readonly organization: string;
  readonly id: string;
  readonly onClose: () => void;
}

/** Moves a workspace of another project here, which changes its permissions. */
function MoveDialog({ organization, id, onClose }: MoveProps) {
  const [chosen, setChosen] = useState('');
  const all = useQuery(
    workspaces.query(LIST, { path: { organization_name: organization }, query: { 'page[size]': '100' } }),
  );
  const others = (all.data?.data ?? []).filter(({ relationships }) => relationships.project?.data?.id !== id);
  const move = useChange(
    () =>
      workspaces.send('POST /projects/{project_id}/relationships/workspaces', {
        path: { project_id: id },
        body: { data: [{ type: 'workspaces', id: chosen }] },
      }),
    () => {
      announce(texts.moved);
      onClose();
    },
  );
  return (
    <AskDialog
      title={texts.moveAWorkspaceHere}
      action={texts.move}
      busy={move.isPending}
      fault={move.error}
      off={chosen === '' && texts.selectAWorkspace}
      onAction={() => move.mutate()}
      onClose={onClose}
    >
      <p>{texts.theWorkspaceThenGets}</p>
      <Select
        label={texts.workspace2}
        value={chosen}
        options={[['', texts.select], ...others.map((one) => [one.id, one.attributes.name] as const)]}
        onText={setChosen}
      />
    </AskDialog>
  );
}
