import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { usePlace } from '../../shell/page.ts';
import { AccessDialog } from './AccessDialog.tsx';
import type { Access } from './levels.ts';
import styles from './project.module.css';
import { useProject } from './use-project.ts';

const LIST = 'GET /team-projects';

/** Which team may do what in all workspaces of a project. */
export function ProjectAccess() {
  const { organization, id, query, crumbs } = useProject();
  const input = { query: { 'filter[project][id]': id, 'page[size]': '100' } };
  usePlace([...crumbs, { label: 'Access' }]);
  usePathLine({ request: workspaces.request(LIST, input) });
  const may = query.data?.data.attributes.permissions;
  const list = useQuery({ ...workspaces.query(LIST, input), enabled: may?.['can-read-teams'] ?? false });
  const teams = useQuery(
    workspaces.query('GET /organizations/{organization_name}/teams', {
      path: { organization_name: organization },
      query: { 'page[size]': '100' },
    }),
  );
  const [open, setOpen] = useState<Access | 'new' | undefined>();
  if (!may?.['can-read-teams']) return <p>You may not see which teams have access: that takes can-read-teams.</p>;
  const manages = may['can-manage-teams'];
  const named = new Map((teams.data?.data ?? []).map((team) => [team.id, team.attributes.name]));
  const teamOf = (access: Access) => access.relationships.team.data?.id ?? '';
  const nameOf = (access: Access) => named.get(teamOf(access)) ?? teamOf(access);
  const has = new Set((list.data?.data ?? []).map(teamOf));
  const without = [...named].filter(([team, name]) => !has.has(team) && name !== 'owners');
  return (
    <Section
      title="Teams"
      end={
        manages && (
          <Button
            look="small"
            off={without.length === 0 && 'Every team that you see has access'}
            onClick={() => setOpen('new')}
          >
            Add team…
          </Button>
        )
      }
    >
      <p className="soft">Owners may do all of it without being listed.</p>
      <Answered query={list} what="Access">
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">No team has access to all of it.</p>
          ) : (
            <Table
              label="Access to the project"
              flush
              twoLines
              items={data}
              keyOf={(one) => one.id}
              columns={[
                {
                  id: 'team',
                  head: 'Team',
                  isName: true,
                  cell: (one) => (
                    <Link to="/$organization/teams/$team" params={{ organization, team: teamOf(one) }}>
                      <bdi>{nameOf(one)}</bdi>
                    </Link>
                  ),
                },
                { id: 'level', head: 'Access', cell: ({ attributes }) => attributes.access },
                {
                  id: 'project',
                  head: 'Project',
                  className: 'soft',
                  cell: ({ attributes: { 'project-access': on } }) =>
                    `settings ${on.settings}, teams ${on.teams}, variable sets ${on['variable-sets']}`,
                },
                {
                  id: 'workspaces',
                  head: 'Workspaces',
                  className: 'soft',
                  cell: ({ attributes: { 'workspace-access': on } }) =>
                    `runs ${on.runs}, variables ${on.variables}, states ${on['state-versions']}${on.locking ? ', locking' : ''}`,
                },
                {
                  id: 'do',
                  head: 'What can be done',
                  hideHead: true,
                  isNumber: true,
                  cell: (one) =>
                    manages && (
                      <span className={styles.does}>
                        <Button
                          look="small"
                          aria-label={`Change access of ${nameOf(one)}…`}
                          onClick={() => setOpen(one)}
                        >
                          Change…
                        </Button>
                        <Destroy
                          verb="Remove"
                          what={`access of ${nameOf(one)}`}
                          isRow
                          run={() =>
                            workspaces.send('DELETE /team-projects/{team_project_id}', {
                              path: { team_project_id: one.id },
                            })
                          }
                        >
                          <p>Its members lose what this gave them, in every workspace of the project.</p>
                        </Destroy>
                      </span>
                    ),
                },
              ]}
            />
          )
        }
      </Answered>
      {open && (
        <AccessDialog
          project={id}
          {...(open === 'new' ? { teams: without } : { teams: [[teamOf(open), nameOf(open)]], access: open })}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Section>
  );
}
