import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { related } from '../../api/json-api.ts';
import { Button } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Select } from '../../components/form/Field.tsx';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { WorkspaceDialog } from '../../components/workspace-dialog/WorkspaceDialog.tsx';
import * as texts from './texts.ts';
import type { VariableSet } from './use-set.ts';
import styles from './variable-set.module.css';

type Target = 'workspaces' | 'projects';

interface GivenToProps {
  readonly organization: string;
  readonly set: VariableSet;
  /** Workspaces and projects that the user can see. */
  readonly included: readonly { readonly id: string; readonly type: string }[];
}

interface Given {
  readonly target: Target;
  readonly id: string;
  /** Undefined if the user cannot see it. */
  readonly name: string | undefined;
}

/** Where a variable set applies: all workspaces, or selected projects and workspaces. */
export function GivenTo({ organization, set, included }: GivenToProps) {
  const [adding, setAdding] = useState<Target | undefined>();
  const mayChange = set.attributes.permissions['can-update'];
  const given = (['projects', 'workspaces'] as const).flatMap((target) =>
    set.relationships[target].data.map((reference): Given => {
      const name = related({ included }, reference, target)?.attributes.name;
      return { target, id: reference.id, name };
    }),
  );
  const add = mayChange && !set.attributes.global && (
    <span className={styles.does}>
      <Button look="small" onClick={() => setAdding('projects')}>
        {texts.addProject}
      </Button>
      <Button look="small" onClick={() => setAdding('workspaces')}>
        {texts.addWorkspace}
      </Button>
    </span>
  );
  return (
    <Section title={texts.availableTo} end={add}>
      {set.attributes.global && <p>{texts.everyWorkspaceOfTheOrganization}</p>}
      {!set.attributes.global && given.length === 0 && <p className="soft">{texts.notAvailableToAny}</p>}
      {!set.attributes.global && given.length > 0 && (
        <Table
          label={texts.projectsAndWorkspacesWith}
          flush
          twoLines
          items={given}
          keyOf={({ id }) => id}
          columns={[
            {
              id: 'name',
              head: texts.name,
              isName: true,
              cell: (one) => <Name organization={organization} of={one} />,
            },
            {
              id: 'what',
              head: texts.type,
              className: 'soft',
              cell: ({ target }) => (target === 'projects' ? texts.projectAllItsWorkspaces : texts.workspace),
            },
            {
              id: 'do',
              head: texts.actions,
              hideHead: true,
              isNumber: true,
              cell: (one) => mayChange && <Withdraw set={set.id} of={one} />,
            },
          ]}
        />
      )}
      {adding === 'workspaces' && (
        <WorkspaceDialog
          organization={organization}
          title={texts.addWorkspace2}
          action={texts.addWorkspace2}
          run={(id) =>
            workspaces.send('POST /varsets/{varset_id}/relationships/workspaces', {
              path: { varset_id: set.id },
              body: body(id),
            })
          }
          onClose={() => setAdding(undefined)}
        />
      )}
      {adding === 'projects' && (
        <GiveToProject
          organization={organization}
          set={set.id}
          has={new Set(given.map(({ id }) => id))}
          onClose={() => setAdding(undefined)}
        />
      )}
    </Section>
  );
}

function Name({ organization, of: { target, id, name } }: { readonly organization: string; readonly of: Given }) {
  if (name === undefined) return <code>{id}</code>;
  if (target === 'projects') {
    return (
      <Link to="/$organization/projects/$project" params={{ organization, project: id }}>
        <bdi>{name}</bdi>
      </Link>
    );
  }
  return (
    <Link to="/$organization/workspaces/$workspace/variables" params={{ organization, workspace: name }}>
      <bdi>{name}</bdi>
    </Link>
  );
}

const body = (id: string) => ({ data: [{ id }] });

/** Removes a workspace or project without confirmation: it can be added again immediately. */
function Withdraw({ set, of: { target, id, name } }: { readonly set: string; readonly of: Given }) {
  const path = { varset_id: set };
  const withdraw = useChange(
    (): Promise<unknown> =>
      target === 'projects'
        ? workspaces.send('DELETE /varsets/{varset_id}/relationships/projects', { path, body: body(id) })
        : workspaces.send('DELETE /varsets/{varset_id}/relationships/workspaces', { path, body: body(id) }),
    () => announce(texts.removed(name ?? id)),
  );
  return (
    <span className={styles.does}>
      {withdraw.error && <span role="alert">{withdraw.error.message}</span>}
      <Button
        look="small"
        aria-label={texts.remove(name ?? id)}
        off={withdraw.isPending && texts.removing}
        onClick={() => withdraw.mutate()}
      >
        {texts.remove2}
      </Button>
    </span>
  );
}

interface GiveProps {
  readonly organization: string;
  readonly set: string;
  readonly has: ReadonlySet<string>;
  readonly onClose: () => void;
}

function GiveToProject({ organization, set, has, onClose }: GiveProps) {
  const [chosen, setChosen] = useState('');
  const projects = useQuery(
    workspaces.query('GET /organizations/{organization_name}/projects', {
      path: { organization_name: organization },
      query: { 'page[size]': '100' },
    }),
  );
  const options = (projects.data?.data ?? [])
    .filter(({ id }) => !has.has(id))
    .map(({ id, attributes }) => [id, attributes.name] as const);
  const project = chosen || (options[0]?.[0] ?? '');
  const give = useChange(
    () =>
      workspaces.send('POST /varsets/{varset_id}/relationships/projects', {
        path: { varset_id: set },
        body: body(project),
      }),
    onClose,
  );
  return (
    <AskDialog
      title={texts.addProject2}
      action={texts.addProject2}
      off={project === '' && texts.everyProjectThatYou}
      busy={give.isPending}
      fault={give.error}
      onAction={() => give.mutate()}
      onClose={onClose}
    >
      <Select label={texts.project} value={project} options={options} onText={setChosen} />
    </AskDialog>
  );
}
