import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Tags } from '../../components/chip/Chip.tsx';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Select } from '../../components/form/Field.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Section, Split } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { usePlace } from '../../shell/page.ts';
import { useProject } from './use-project.ts';

const LIST = 'GET /organizations/{organization_name}/workspaces';
/** Shown here; the list of workspaces shows all. */
const MOST = 50;

/** What is in a project, and the way in for others. */
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
        title="Workspaces"
        end={
          <>
            <Link className="link" to="/$organization/workspaces" params={{ organization }} search={{ project: id }}>
              In the list
            </Link>
            {canMove && (
              <Button look="small" onClick={() => setMoving(true)}>
                Move one here…
              </Button>
            )}
          </>
        }
      >
        <Answered query={list} what="Workspaces">
          {({ data }) =>
            data.length === 0 ? (
              <p className="soft">None that you may see is in it.</p>
            ) : (
              <Table
                label="Workspaces of the project"
                flush
                twoLines
                items={data}
                keyOf={(one) => one.id}
                columns={[
                  {
                    id: 'name',
                    head: 'Name',
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
                    head: 'Execution',
                    className: 'soft',
                    cell: ({ attributes }) => attributes['execution-mode'],
                  },
                  {
                    id: 'tags',
                    head: 'Tags',
                    cell: ({ attributes }) => <Tags names={attributes['tag-names']} most={3} />,
                  },
                ]}
              />
            )
          }
        </Answered>
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
      <h2>Tags</h2>
      {names.length === 0 ? <p className="soft">None. Its workspaces would have them too.</p> : <Tags names={names} />}
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
      <h2>Variable sets</h2>
      {all.length === 0 ? (
        <p className="soft">None is given to it.</p>
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

/** A workspace of another project comes here: who may use it changes with that. */
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
      announce('Moved');
      onClose();
    },
  );
  return (
    <AskDialog
      title="Move a workspace here"
      action="Move"
      busy={move.isPending}
      fault={move.error}
      off={chosen === '' && 'Choose one'}
      onAction={() => move.mutate()}
      onClose={onClose}
    >
      <p>Its teams, default execution and inherited tags and variables are those of this project from then on.</p>
      <Select
        label="Workspace"
        value={chosen}
        options={[['', 'choose'], ...others.map((one) => [one.id, one.attributes.name] as const)]}
        onText={setChosen}
      />
    </AskDialog>
  );
}
