import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Resources, workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Section } from '../../components/section/Section.tsx';
import { AccessDialog } from './AccessDialog.tsx';
import styles from './access.module.css';
import { rightsOf, type TeamAccess } from './levels.ts';
import { Matrix } from './Matrix.tsx';
import * as texts from './texts.ts';

interface TeamsPartProps {
  readonly organization: string;
  readonly workspace: Resources['workspaces'];
  readonly teams: ReadonlyMap<string, string>;
}

/** Teams with access to only this workspace. */
export function TeamsPart({ organization, workspace, teams }: TeamsPartProps) {
  const [open, setOpen] = useState<TeamAccess | 'new' | undefined>();
  const query = { 'filter[workspace][id]': workspace.id, 'page[size]': '100' };
  const list = useQuery(workspaces.query('GET /team-workspaces', { query }));
  const manages = workspace.attributes.permissions['can-update'];
  const nameOf = (team: string) => teams.get(team) ?? team;
  const teamOf = ({ relationships }: TeamAccess) => relationships.team.data?.id ?? '';
  const has = new Set((list.data?.data ?? []).map(teamOf));
  const without = [...teams].filter(([id, name]) => !has.has(id) && name !== 'owners');
  const add = (
    <Button look="small" off={without.length === 0 && texts.everyTeamThatYou} onClick={() => setOpen('new')}>
      {texts.grantAccess2}
    </Button>
  );
  return (
    <Section title={texts.workspaceAccess} end={manages && add}>
      <QueryResult query={list} what={texts.accessOfTeams}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">{texts.noTeamHasAccess2}</p>
          ) : (
            <Matrix
              label={texts.accessToTheWorkspace}
              organization={organization}
              rows={data.map((access) => ({
                id: access.id,
                team: teamOf(access),
                level: access.attributes.access,
                rights: rightsOf(access.attributes),
                access,
              }))}
              nameOf={nameOf}
              actions={({ team, access }) =>
                manages && (
                  <span className={styles.does}>
                    <Link
                      to="/$organization/workspaces/$workspace/access"
                      params={{ organization, workspace: workspace.attributes.name }}
                      search={{ team }}
                      className="link"
                      aria-label={texts.whyDoesHaveThisAccess(nameOf(team))}
                    >
                      {texts.why}
                    </Link>
                    <Button
                      look="small"
                      aria-label={texts.changeAccessOf(nameOf(team))}
                      onClick={() => setOpen(access)}
                    >
                      {texts.change}
                    </Button>
                    <Destroy
                      verb={texts.remove}
                      what={texts.accessOf3(nameOf(team))}
                      isRow
                      run={() =>
                        workspaces.send('DELETE /team-workspaces/{team_workspace_id}', {
                          path: { team_workspace_id: access.id },
                        })
                      }
                    >
                      <p>{texts.membersAndMachinesOf}</p>
                    </Destroy>
                  </span>
                )
              }
            />
          )
        }
      </QueryResult>
      {open && (
        <AccessDialog
          workspace={workspace.id}
          teams={open === 'new' ? without : [[teamOf(open), nameOf(teamOf(open))]]}
          {...(open !== 'new' && { access: open })}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Section>
  );
}
