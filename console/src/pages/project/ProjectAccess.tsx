import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { usePlace } from '../../shell/page.ts';
import { AccessDialog } from './AccessDialog.tsx';
import type { Access } from './levels.ts';
import styles from './project.module.css';
import * as texts from './texts.ts';
import { useProject } from './use-project.ts';

const LIST = 'GET /team-projects';

/** Access of teams to all workspaces of a project. */
export function ProjectAccess() {
  const { organization, id, query, crumbs } = useProject();
  const input = { query: { 'filter[project][id]': id, 'page[size]': '100' } };
  usePlace([...crumbs, { label: texts.access }]);
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
  if (!may?.['can-read-teams']) return <p>{texts.youHaveNoPermission}</p>;
  const manages = may['can-manage-teams'];
  const named = new Map((teams.data?.data ?? []).map((team) => [team.id, team.attributes.name]));
  const teamOf = (access: Access) => access.relationships.team.data?.id ?? '';
  const nameOf = (access: Access) => named.get(teamOf(access)) ?? teamOf(access);
  const has = new Set((list.data?.data ?? []).map(teamOf));
  const without = [...named].filter(([team, name]) => !has.has(team) && name !== 'owners');
  return (
    <Section
      title={texts.teams}
      end={
        manages && (
          <Button look="small" off={without.length === 0 && texts.allTeamsThatYou} onClick={() => setOpen('new')}>
            {texts.addTeam}
          </Button>
        )
      }
    >
      <p className="soft">{texts.ownersHaveFullAccess}</p>
      <QueryResult query={list} what={texts.access}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">{texts.noTeamHasAccess}</p>
          ) : (
            <Table
              label={texts.accessToTheProject}
              flush
              twoLines
              items={data}
              keyOf={(one) => one.id}
              columns={[
                {
                  id: 'team',
                  head: texts.team,
                  isName: true,
                  cell: (one) => (
                    <Link to="/$organization/teams/$team" params={{ organization, team: teamOf(one) }}>
                      <bdi>{nameOf(one)}</bdi>
                    </Link>
                  ),
                },
                { id: 'level', head: texts.access, cell: ({ attributes }) => attributes.access },
                {
                  id: 'project',
                  head: texts.project,
                  className: 'soft',
                  cell: ({ attributes: { 'project-access': on } }) =>
                    texts.settingsTeamsVariableSets(on.settings, on.teams, on['variable-sets']),
                },
                {
                  id: 'workspaces',
                  head: texts.workspaces,
                  className: 'soft',
                  cell: ({ attributes: { 'workspace-access': on } }) =>
                    texts.runsVariablesStates(
                      on.runs,
                      on.variables,
                      on['state-versions'],
                      on.locking ? texts.locking : '',
                    ),
                },
                {
                  id: 'do',
                  head: texts.actions,
                  hideHead: true,
                  isNumber: true,
                  cell: (one) =>
                    manages && (
                      <span className={styles.does}>
                        <Button
                          look="small"
                          aria-label={texts.changeAccessOf(nameOf(one))}
                          onClick={() => setOpen(one)}
                        >
                          {texts.change}
                        </Button>
                        <Destroy
                          verb={texts.remove}
                          what={texts.accessOf3(nameOf(one))}
                          isRow
                          run={() =>
                            workspaces.send('DELETE /team-projects/{team_project_id}', {
                              path: { team_project_id: one.id },
                            })
                          }
                        >
                          <p>{texts.membersOfTheTeam}</p>
                        </Destroy>
                      </span>
                    ),
                },
              ]}
            />
          )
        }
      </QueryResult>
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
